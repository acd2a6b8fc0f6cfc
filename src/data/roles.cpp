#include <genera/roles.hpp>

namespace genera {

Target Target::if_present(std::string name) {
  Target target(std::move(name));
  target.need_ = Need::if_present;
  return target;
}

Target Target::if_named() {
  Target target;
  target.need_ = Need::if_present;
  return target;
}

Target Target::none() {
  Target target;
  target.need_ = Need::none;
  return target;
}

}  // namespace genera
