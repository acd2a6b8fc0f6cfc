#include "errors.hpp"

#include <nanobind/stl/string.h>

#include "arrays.hpp"

namespace genera::python {
namespace {

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
  const nb::object words = nb::module_::import_("genera._words").attr("word_of");
  return nb::cast<std::string>(words(text_of(option.name), list_of(option.values)));
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
