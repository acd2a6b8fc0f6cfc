#include "facts.hpp"

#include "arrays.hpp"
#include "errors.hpp"

namespace genera::python {
namespace {

nb::str text_of(const std::string& text) { return nb::str(text.c_str(), text.size()); }

struct ToPython {
  Numbers numbers;

  nb::object operator()(std::monostate) const { return nb::none(); }
  nb::object operator()(bool value) const { return nb::bool_(value); }
  nb::object operator()(Index value) const { return nb::int_(value); }
  nb::object operator()(double value) const { return nb::float_(value); }
  nb::object operator()(const std::string& text) const { return text_of(text); }
  nb::object operator()(const Advice& sentence) const {
    return text_of(in_words(sentence, words_of));
  }
  nb::object operator()(const Fact::Names& names) const { return list_of(names); }
  nb::object operator()(const Fact::Codes& codes) const { return as_wished(array_of(codes)); }
  nb::object operator()(const Vector& values) const { return as_wished(array_of(values)); }
  nb::object operator()(const Matrix& values) const { return as_wished(array_of(values)); }
  nb::object operator()(const Diagonal& values) const { return (*this)(full_matrix(values)); }
  nb::object operator()(const Facts& facts) const {
    nb::dict dict;
    for (const Fact& fact : facts) dict[text_of(fact.key)] = std::visit(*this, fact.value.is);
    return dict;
  }
  nb::object operator()(const Fact::List& items) const {
    nb::list list;
    for (const Fact::Value& item : items) list.append(std::visit(*this, item.is));
    return list;
  }

 private:
  [[nodiscard]] nb::object as_wished(nb::object array) const {
    return numbers == Numbers::arrays ? array : nb::object(array.attr("tolist")());
  }
};

}  // namespace

nb::object object_of(const Fact::Value& value, Numbers numbers) {
  return std::visit(ToPython{numbers}, value.is);
}

}  // namespace genera::python
