#include "errors.hpp"

#include <charconv>

#include "arrays.hpp"

namespace genera::python {
namespace {

bool is_number(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

std::string written(const std::string& value) {
  return is_number(value) ? value : '"' + value + '"';
}

const char* name_of_code(Errc code) {
  switch (code) {
    case Errc::bad_argument:
      return "bad_argument";
    case Errc::bad_data:
      return "bad_data";
    case Errc::bad_model:
      return "bad_model";
    case Errc::stopped:
      break;
  }
  return "stopped";
}

nb::str text_of(const std::string& text) { return nb::str(text.c_str(), text.size()); }

}  // namespace

std::string words_of(const OptionUse& option) {
  if (option.values.empty()) return option.name;
  if (option.values.size() == 1) return option.name + '=' + written(option.values.front());
  std::string list;
  for (const std::string& value : option.values)
    list += (list.empty() ? "" : ", ") + written(value);
  return option.name + "=[" + list + ']';
}

void register_errors(nb::module_&) {
  nb::register_exception_translator(
      [](const std::exception_ptr& thrown, void*) {
        try {
          std::rethrow_exception(thrown);
        } catch (const Error& error) {
          const nb::object type = nb::module_::import_("genera._errors").attr("Error");
          const nb::object value =
              type(text_of(in_words(error.problem(), words_of)),
                   text_of(in_words(error.hint(), words_of)), name_of_code(error.code()));
          PyErr_SetObject(type.ptr(), value.ptr());
        }
      },
      nullptr);
}

}  // namespace genera::python
