#pragma once

#include "arguments.hpp"

/// One function and one file in verbs/ for each verb.
namespace genera::cli {

void run(const FitArguments& arguments);
void run(const ClusterArguments& arguments);
void run(const PredictArguments& arguments);
void run(const EvaluateArguments& arguments);
void run(const ScoreArguments& arguments);
void run(const InspectArguments& arguments);
void run(const SampleArguments& arguments);
void run(const ImputeArguments& arguments);
void run(const StatsArguments& arguments);
void run(const MergeArguments& arguments);
void run(const ForgetArguments& arguments);
void run(const DatasetsArguments& arguments);
void run(const PrintArguments& arguments);

}  // namespace genera::cli
