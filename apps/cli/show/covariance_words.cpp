#include "show/covariance_words.hpp"

namespace genera::cli {

std::string_view meaning_of_components(Family family) {
  switch (family) {
    case Family::qda:
      return "a full covariance for each";
    case Family::lda:
      return "one full covariance shared by all";
    case Family::gnb:
      return "a diagonal covariance for each";
    case Family::dlda:
      return "one diagonal covariance shared by all";
    case Family::spherical:
      return "a multiple of the identity for each";
    case Family::centroid:
      return "one multiple of the identity shared by all";
    case Family::rda:
      return "full covariances";
  }
  return "";
}

std::string_view meaning_of(Family family) {
  switch (family) {
    case Family::qda:
      return "a full covariance of its own for each class";
    case Family::lda:
      return "one full covariance shared by all classes";
    case Family::gnb:
      return "a diagonal covariance of its own for each class";
    case Family::dlda:
      return "one diagonal covariance shared by all classes";
    case Family::spherical:
      return "a multiple of the identity for each class";
    case Family::centroid:
      return "one multiple of the identity shared by all classes";
    case Family::rda:
      return "full covariances between each class's own and the pooled one";
  }
  return "";
}

}  // namespace genera::cli
