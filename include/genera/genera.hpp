#pragma once

#include <genera/version.hpp>

#include <genera/types.hpp>        // dense numbers: Matrix, MatrixView
#include <genera/error.hpp>        // what can go wrong
#include <genera/facts.hpp>        // results as named values
#include <genera/report.hpp>       // how a fit went
#include <genera/control.hpp>      // threads, progress, the wish to stop
#include <genera/random.hpp>       // chance, passed in
#include <genera/table.hpp>        // what was observed
#include <genera/source.hpp>       // where rows come from: files, pipes, memory
#include <genera/roles.hpp>        // which column plays which part
#include <genera/row_source.hpp>   // rows in chunks, whatever makes them
#include <genera/stream.hpp>       // rows of a file, in chunks
#include <genera/stats.hpp>        // what we keep of it: one pass, mergeable
#include <genera/observed.hpp>     // the same of rows that lack cells or labels
#include <genera/diagnosis.hpp>    // what it says about the choice of a model
#include <genera/blocks.hpp>       // densities of a set of columns
#include <genera/prior.hpp>        // probabilities of the classes
#include <genera/model.hpp>        // prior x class-conditional blocks
#include <genera/linear.hpp>       // scores of classes without a density
#include <genera/classifier.hpp>   // either of the two
#include <genera/description.hpp>  // what a model says of itself
#include <genera/recipe.hpp>       // what a model should be like
#include <genera/fit.hpp>          // statistics -> model
#include <genera/em.hpp>           // EM over partitions of rows
#include <genera/softmax.hpp>      // softmax regression of rows in partitions
#include <genera/mixture.hpp>      // groups without labels
#include <genera/spec.hpp>         // options of models by name
#include <genera/query.hpp>        // posterior, density, distances, outliers
#include <genera/canonical.hpp>    // where the classes lie apart, in few dimensions
#include <genera/sample.hpp>       // new rows, given what is known
#include <genera/probability.hpp>  // of a box of values, given what is known
#include <genera/impute.hpp>       // what is missing, filled in
#include <genera/decisions.hpp>    // costs, rejection, other priors
#include <genera/explain.hpp>      // why this class and not another
#include <genera/predictor.hpp>    // one row at a time, without allocation
#include <genera/evaluate.hpp>     // how good is it
#include <genera/select.hpp>       // which model predicts best
#include <genera/candidates.hpp>   // what is tried, by name
#include <genera/curves.hpp>       // how many rows a model needs
#include <genera/fit_auto.hpp>     // and the model that does
#include <genera/figure.hpp>       // what can be drawn of it
#include <genera/io.hpp>           // models and statistics as files and bytes
