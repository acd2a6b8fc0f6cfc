#pragma once

#include <string>
#include <variant>
#include <vector>

#include <genera/linear.hpp>
#include <genera/model.hpp>

namespace genera {

/// Several classifiers of the same rows, whose posteriors are pooled: p(y | x) = sum_m v_m
/// p_m(y | x). Its density is p(x) = sum_m v_m p_m(x) over the members that have one of the same
/// columns and types as the first joint distribution, with their weights scaled to sum to one:
/// densities of numbers and probabilities of categories cannot be added. Missing values are
/// marginalised by each member, then pooled.
class Committee {
 public:
  struct Member {
    std::string name{};  ///< "rda alpha 0.2 gamma 0.1"
    double weight = 0;   ///< v_m > 0
    std::variant<Model, LinearModel> model;
    friend bool operator==(const Member&, const Member&) = default;
  };

  /// Throws Error (bad_model) unless there are at least two members of the same classes and target,
  /// whose weights are above 0 and sum to one.
  explicit Committee(std::vector<Member> members, std::vector<std::string> notes = {});

  [[nodiscard]] const std::vector<Member>& members() const { return members_; }
  /// Weights of the members in the density; 0 for members that are not part of it.
  [[nodiscard]] const Vector& density_weights() const { return density_weights_; }
  [[nodiscard]] bool has_density() const { return leading_model() != nullptr; }
  /// The member with the largest weight in the density, whose layout drawn rows have; null if there
  /// is no density.
  [[nodiscard]] const Model* leading_model() const;

  [[nodiscard]] const std::vector<std::string>& classes() const { return classes_; }
  /// sum_m v_m prior_m.
  [[nodiscard]] const Prior& prior() const { return prior_; }
  /// All columns that a member reads, in the column order of the first member. A column that some
  /// members read as a number is one, even if others read it as a category.
  [[nodiscard]] const std::vector<Column>& features() const { return features_; }
  [[nodiscard]] const std::string& target() const;
  [[nodiscard]] LabelType label_type() const { return label_type_; }
  [[nodiscard]] const Origin& origin() const { return origin_; }
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }
  /// How text columns become terms.
  [[nodiscard]] TextOptions text_options() const;
  /// Weight of the training rows of each class; empty if unknown.
  [[nodiscard]] const Vector& counts() const;
  /// Always 1: members have temperatures of their own.
  [[nodiscard]] double temperature() const { return 1; }

  /// The same densities with another prior in every member. Throws Error (bad_argument) if a member
  /// is a linear model.
  [[nodiscard]] Committee with_prior(const Prior& prior) const;
  /// See Model::with_column_order.
  [[nodiscard]] Committee with_column_order(const std::vector<std::string>& names) const;
  [[nodiscard]] Committee with_notes(std::vector<std::string> notes) const;
  [[nodiscard]] Committee with_label_type(LabelType type) const;
  [[nodiscard]] Committee with_origin(Origin origin) const;

  friend bool operator==(const Committee&, const Committee&) = default;

 private:
  std::vector<Member> members_;
  std::vector<std::string> notes_;
  std::vector<std::string> classes_;
  Prior prior_;
  std::vector<Column> features_;
  Vector density_weights_;
  LabelType label_type_ = LabelType::unknown;
  Origin origin_;
};

}  // namespace genera
