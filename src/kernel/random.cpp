#include <genera/random.hpp>

#include <boost/random/normal_distribution.hpp>
#include <boost/random/uniform_01.hpp>

namespace genera {

Rng::result_type Rng::operator()() {
  std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

Rng Rng::split(std::uint64_t i) const {
  Rng mixed(state_ ^ (i * 0xd1342543de82ef95U + 0x2545f4914f6cdd1dU));
  mixed.state_ = mixed();  // far from the sequence of the parent
  return mixed;
}

double Rng::uniform() { return boost::random::uniform_01<double>()(*this); }

double Rng::normal() { return boost::random::normal_distribution<double>()(*this); }

}  // namespace genera
