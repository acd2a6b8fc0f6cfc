#pragma once

#include <genera/version.hpp>

#include <genera/types.hpp>        // dense numbers: Matrix, MatrixView
#include <genera/error.hpp>        // the exception of the library
#include <genera/facts.hpp>        // results as named values
#include <genera/report.hpp>       // how a fit went
#include <genera/control.hpp>      // threads, progress, cancellation
#include <genera/random.hpp>       // random numbers
#include <genera/table.hpp>        // tables: columns, labels, weights
#include <genera/source.hpp>       // where rows come from: files, pipes, memory
#include <genera/roles.hpp>        // roles of columns: label, weights, features
#include <genera/row_source.hpp>   // rows in chunks, from any source
#include <genera/stream.hpp>       // rows of a file, in chunks
#include <genera/stats.hpp>        // sufficient statistics, additive
#include <genera/observed.hpp>     // the same for rows with missing cells or labels
#include <genera/diagnosis.hpp>    // tests of the assumptions of the models
#include <genera/blocks.hpp>       // densities of a set of columns
#include <genera/prior.hpp>        // probabilities of the classes
#include <genera/model.hpp>        // prior x class-conditional blocks
#include <genera/linear.hpp>       // scores of classes without a density
#include <genera/classifier.hpp>   // one of the three
#include <genera/description.hpp>  // descriptions of models as data
#include <genera/recipe.hpp>       // recipes: which model to fit
#include <genera/fit.hpp>          // statistics -> model
#include <genera/em.hpp>           // EM over partitions of rows
#include <genera/softmax.hpp>      // softmax regression of rows in partitions
#include <genera/mixture.hpp>      // clusters: mixtures without labels
#include <genera/spec.hpp>         // options of models by name
#include <genera/query.hpp>        // posterior, density, distances, outliers
#include <genera/canonical.hpp>    // canonical variates
#include <genera/sample.hpp>       // random rows, also given known values
#include <genera/probability.hpp>  // probabilities of boxes
#include <genera/impute.hpp>       // imputation
#include <genera/decisions.hpp>    // costs, rejection, other priors
#include <genera/explain.hpp>      // explanations of predictions
#include <genera/predictor.hpp>    // one row at a time, without allocation
#include <genera/evaluate.hpp>     // quality of predictions
#include <genera/select.hpp>       // cross-validation
#include <genera/candidates.hpp>   // the models and values that are tried
#include <genera/curves.hpp>       // learning curves
#include <genera/fit_auto.hpp>     // automatic choice of the model
#include <genera/figure.hpp>       // contents of figures
#include <genera/io.hpp>           // models and statistics as files and bytes

#include <genera/table_summary.hpp>  // what a table contains
