// Committees as documents: each member is a document of its own.
#include "io/model_fields.hpp"

#include <utility>

#include "io/origin.hpp"

namespace genera::io {

bool is_committee(const Field& root) { return root.has("members"); }

Value to_document(const Committee& committee) {
  List members;
  for (const Committee::Member& member : committee.members()) {
    Members one;
    one["name"] = Value{member.name};
    one["weight"] = Value{member.weight};
    one["model"] = std::visit([](const auto& model) { return to_document(model); }, member.model);
    members.push_back(Value{std::move(one)});
  }
  List columns;
  for (const Column& column : committee.features()) columns.push_back(Value{column.name});
  Members root;
  root["format"] = Value{std::string(model_format)};
  root["version"] = Value{format_version};
  root["target"] = Value{committee.target()};
  put_label_type(committee.label_type(), root);
  put_origin(committee.origin(), root);
  root["members"] = Value{std::move(members)};
  root["columns"] = Value{std::move(columns)};
  root["notes"] = blocks::texts(committee.notes());
  return {std::move(root)};
}

Committee to_committee(const Value& document, const std::string& place) {
  const Field root(document, place);
  root.allow_only(
      {"format", "version", "target", "labels", "origin", "members", "columns", "notes"});
  std::vector<Committee::Member> members;
  for (const Field& one : root["members"].elements("an object")) {
    one.allow_only({"name", "weight", "model"});
    const std::string where = place + ": " + one["model"].path();
    Classifier model = to_classifier(one["model"].value(), where);
    if (std::holds_alternative<Committee>(model))
      one["model"].refuse("is a committee", "give a single model");
    Committee::Member member{
        .name = one["name"].text(),
        .weight = one["weight"].number(),
        .model = std::holds_alternative<Model>(model)
                     ? std::variant<Model, LinearModel>(std::get<Model>(std::move(model)))
                     : std::get<LinearModel>(std::move(model))};
    members.push_back(std::move(member));
  }
  std::vector<std::string> notes;
  if (root.has("notes")) notes = root["notes"].texts();
  return blocks::at_place(place, [&] {
    const Committee committee(std::move(members), std::move(notes));
    return committee
        .with_column_order(root.has("columns") ? root["columns"].texts()
                                               : std::vector<std::string>{})
        .with_label_type(read_label_type(root))
        .with_origin(read_origin(root));
  });
}

}  // namespace genera::io
