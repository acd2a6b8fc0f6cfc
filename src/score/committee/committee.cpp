#include <genera/committee.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <genera/classifier.hpp>
#include <genera/error.hpp>

namespace genera {
namespace {

using Members = std::vector<Committee::Member>;

void check_members(const Members& members) {
  if (members.size() < 2)
    throw Error(Errc::bad_model,
                fmt::format("a committee of {} is not one", counted(std::ssize(members), "member")),
                "give at least two members, or use the one model");
  const ClassifierRef first(members.front());
  double sum = 0;
  for (const Committee::Member& member : members) {
    const ClassifierRef model(member);
    if (model.classes() != first.classes() || model.target() != first.target())
      throw Error(Errc::bad_model,
                  fmt::format("the members '{}' and '{}' of a committee have other classes",
                              members.front().name, member.name),
                  "fit all members to the same rows");
    if (!(member.weight > 0) || !std::isfinite(member.weight))
      throw Error(Errc::bad_model,
                  fmt::format("the member '{}' has the weight {}", member.name, member.weight),
                  "give weights above 0 that sum to one");
    sum += member.weight;
  }
  constexpr double rounding = 1e-9;
  if (std::abs(sum - 1) > rounding)
    throw Error(Errc::bad_model, fmt::format("the weights of a committee sum to {:.10g}", sum),
                "give weights above 0 that sum to one");
}

/// Features in the column order of the training table.
std::vector<Column> ordered_features(ClassifierRef model) {
  const Model* joint = model.model();
  if (!joint) return model.features();
  std::vector<Column> features;
  for (const Index place : joint->column_order())
    features.push_back(joint->features()[static_cast<std::size_t>(place)]);
  return features;
}

std::vector<Column> all_features(const Members& members) {
  std::vector<Column> all;
  for (const Committee::Member& member : members) {
    for (Column& column : ordered_features(member)) {
      const auto known = std::ranges::find(all, column.name, &Column::name);
      if (known == all.end())
        all.push_back(std::move(column));
      else if (column.type == ColumnType::numeric)
        known->type = ColumnType::numeric;
    }
  }
  return all;
}

Prior pooled_prior(const Members& members) {
  const Prior& first = ClassifierRef(members.front()).prior();
  const bool same = std::ranges::all_of(
      members, [&](const auto& member) { return ClassifierRef(member).prior() == first; });
  if (same) return first;
  Vector pooled(first.probabilities().size());
  for (const Committee::Member& member : members)
    for (std::size_t k = 0; k < pooled.size(); ++k)
      pooled[k] += member.weight * ClassifierRef(member).prior().probabilities()[k];
  return Prior(pooled);
}

bool same_columns(const Model& one, const Model& other) {
  return std::ranges::is_permutation(one.features(), other.features());
}

const Members& checked(const Members& members) {
  check_members(members);
  return members;
}

}  // namespace

Committee::Committee(std::vector<Member> members, std::vector<std::string> notes)
    : members_(std::move(members)),
      notes_(std::move(notes)),
      classes_(ClassifierRef(checked(members_).front()).classes()),
      prior_(pooled_prior(members_)),
      features_(all_features(members_)) {
  double sum = 0;
  const Model* first = nullptr;
  for (const Member& member : members_) {
    const Model* model = std::get_if<Model>(&member.model);
    if (!first) first = model;
    density_weights_.push_back(model && same_columns(*first, *model) ? member.weight : 0);
    sum += density_weights_.back();
  }
  const bool all = std::ranges::all_of(density_weights_, [](double v) { return v > 0; });
  for (double& weight : density_weights_) weight /= sum > 0 && !all ? sum : 1;
}

const Model* Committee::leading_model() const {
  const auto largest = std::ranges::max_element(density_weights_) - density_weights_.begin();
  return *std::ranges::max_element(density_weights_) > 0
             ? std::get_if<Model>(&members_[static_cast<std::size_t>(largest)].model)
             : nullptr;
}

const std::string& Committee::target() const { return ClassifierRef(members_.front()).target(); }

TextOptions Committee::text_options() const {
  for (const Member& member : members_) {
    const auto is_text = [](const Column& column) { return column.type == ColumnType::text; };
    if (std::ranges::any_of(ClassifierRef(member).features(), is_text))
      return ClassifierRef(member).text_options();
  }
  return {};
}

const Vector& Committee::counts() const {
  return std::visit([](const auto& model) -> const Vector& { return model.counts(); },
                    members_.front().model);
}

Committee Committee::with_prior(const Prior& prior) const {
  std::vector<Member> members = members_;
  for (Member& member : members) {
    const Model* joint = std::get_if<Model>(&member.model);
    if (!joint)
      throw Error(Errc::bad_argument,
                  fmt::format("the member '{}' contains the priors of its rows", member.name),
                  "leave the priors as they are, or fit one generative model");
    member.model = joint->with_prior(prior);
  }
  return Committee(std::move(members), notes_).with_label_type(label_type_).with_origin(origin_);
}

Committee Committee::with_column_order(const std::vector<std::string>& names) const {
  Committee ordered(*this);
  for (Member& member : ordered.members_)
    if (const Model* joint = std::get_if<Model>(&member.model))
      member.model = Model(joint->with_column_order(names));
  ordered.features_ = all_features(ordered.members_);
  std::ranges::stable_sort(ordered.features_, {}, [&](const Column& column) {
    return std::ranges::find(names, column.name) - names.begin();
  });
  return ordered;
}

Committee Committee::with_notes(std::vector<std::string> notes) const {
  Committee noted(*this);
  noted.notes_ = std::move(notes);
  return noted;
}

Committee Committee::with_label_type(LabelType type) const {
  Committee typed(*this);
  typed.label_type_ = type;
  return typed;
}

Committee Committee::with_origin(Origin origin) const {
  Committee remembering(*this);
  remembering.origin_ = std::move(origin);
  return remembering;
}

JointRef::JointRef(const Committee& committee) : committee_(&committee) {
  if (!committee.has_density())
    throw Error(Errc::bad_model, "no member of the committee has a density",
                "use a generative model");
}

std::optional<JointRef> JointRef::of(ClassifierRef classifier) {
  if (!classifier.has_density()) return std::nullopt;
  if (const Model* model = classifier.model()) return JointRef(*model);
  return JointRef(*classifier.committee());
}

}  // namespace genera
