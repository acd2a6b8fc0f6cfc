#include <genera/probability.hpp>

namespace genera {
namespace {

Facts estimate(const ProbabilityEstimate& estimate) {
  return {{"probability", estimate.value},
          {"log_probability", estimate.log_value},
          {"error", estimate.error},
          {"relative_error", estimate.relative_error}};
}

Facts cells(const std::vector<Given>& given) {
  Facts all;
  for (const Given& cell : given) all.push_back({cell.column, cell.value});
  return all;
}

}  // namespace

Facts facts(const Probability& found, const ProbabilityQuestion& question,
            const std::vector<std::string>& classes) {
  const auto between = [](const Between& one) {
    return Facts{{"column", one.column}, {"low", one.low}, {"high", one.high}};
  };
  Fact::List of_classes;
  for (std::size_t k = 0; k < found.classes.size(); ++k) {
    Facts own{{"name", classes[k]}, {"share", found.classes[k].share}};
    append(own, estimate(found.classes[k].estimate));
    of_classes.emplace_back(std::move(own));
  }
  Facts all = estimate(found.all);
  append(all, {{"between", list_of(question.between, between)},
               {"equal", cells(question.equal)},
               {"given", cells(question.given)},
               {"class", question.of_class},
               {"classes", std::move(of_classes)}});
  return all;
}

}  // namespace genera
