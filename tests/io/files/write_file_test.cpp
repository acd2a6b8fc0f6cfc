#include "io/support.hpp"

#include <csignal>
#include <ostream>
#include <thread>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace genera::write_file_test {
namespace {

using namespace test;

mode_t mode_of(const std::string& path) {
  struct stat status = {};
  EXPECT_EQ(::stat(path.c_str(), &status), 0);
  return status.st_mode & 07777U;
}

void put(std::ostream& out) { out << "new"; }

TEST(WriteFile, MakesAFileThatHonoursTheUmask) {
  const TemporaryFolder folder;
  const mode_t before = ::umask(027);
  write_file(folder / "f", put);
  ::umask(before);
  EXPECT_EQ(read_text(folder / "f"), "new");
  EXPECT_EQ(mode_of(folder / "f"), 0640U);
  EXPECT_EQ(folder.entries(), 1);
}

TEST(WriteFile, WritesMoreThanABuffer) {
  const TemporaryFolder folder;
  std::string all;
  for (int i = 0; i < 200000; ++i) all += std::to_string(i) + "\n";
  write_file(folder / "f", [&](std::ostream& out) {
    for (int i = 0; i < 200000; ++i) out << i << '\n';
  });
  EXPECT_EQ(read_text(folder / "f"), all);
}

TEST(WriteFile, ReplacesAFileOnlyAtTheEndAndKeepsItsPermissions) {
  const TemporaryFolder folder;
  write_text(folder / "f", "old");
  ASSERT_EQ(::chmod((folder / "f").c_str(), 0604), 0);
  write_file(folder / "f", [&](std::ostream& out) {
    out << "new" << std::flush;
    EXPECT_EQ(read_text(folder / "f"), "old");
  });
  EXPECT_EQ(read_text(folder / "f"), "new");
  EXPECT_EQ(mode_of(folder / "f"), 0604U);
  EXPECT_EQ(folder.entries(), 1);
}

TEST(WriteFile, LeavesEverythingAsItWasAfterAnException) {
  const TemporaryFolder folder;
  write_text(folder / "f", "old");
  for (const std::string name : {"f", "g"})
    EXPECT_THROW(write_file(folder / name,
                            [](std::ostream& out) {
                              out << "half" << std::flush;
                              throw std::logic_error("no");
                            }),
                 std::logic_error);
  EXPECT_EQ(read_text(folder / "f"), "old");
  EXPECT_EQ(folder.entries(), 1);
}

TEST(WriteFile, LeavesNothingOfAStreamThatWasStopped) {
  const TemporaryFolder folder;
  RowStream stream("@iris", {}, {});
  const Control stop{2, [](const Progress&) { return false; }};
  try {
    write_file(folder / "f", [&](std::ostream& out) {
      stream.for_each_chunk(stop, [&](Table&& chunk) -> std::function<void()> {
        return [&out, rows = chunk.rows()] { out << rows << std::flush; };
      });
    });
    FAIL() << "went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::stopped);
  }
  EXPECT_EQ(folder.entries(), 0);
}

TEST(WriteFile, FollowsSymbolicLinks) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "d");
  write_text(folder / "d/real", "old");
  std::filesystem::create_symlink("d/real", folder / "link");
  std::filesystem::create_symlink("link", folder / "link to link");
  std::filesystem::create_symlink("d/later", folder / "dangling");
  write_file(folder / "link to link", put);
  write_file(folder / "dangling", put);
  EXPECT_EQ(read_text(folder / "d/real"), "new");
  EXPECT_EQ(read_text(folder / "d/later"), "new");
  for (const std::string name : {"link", "link to link", "dangling"})
    EXPECT_TRUE(std::filesystem::is_symlink(folder / name));
  std::filesystem::create_symlink("loop", folder / "loop");
  EXPECT_TRUE(refusal([&] { write_file(folder / "loop", put); })
                  .starts_with("bad_data | " + folder / "loop" +
                               ": cannot be written: Too many levels of symbolic links"));
}

TEST(WriteFile, WorksInTheCurrentFolderAndForLongNames) {
  const TemporaryFolder folder;
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder / "");
  write_file(std::string(255, 'n'), put);
  std::filesystem::current_path(before);
  EXPECT_EQ(read_text(folder / std::string(255, 'n')), "new");
}

TEST(WriteFile, WritesDevicesAndPipesDirectly) {
  const TemporaryFolder folder;
  write_file("/dev/null", put);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  std::string read;
  std::jthread reader([&] { read = read_text(folder / "pipe"); });
  write_file(folder / "pipe", put);
  reader.join();
  EXPECT_EQ(read, "new");
  EXPECT_TRUE(std::filesystem::is_fifo(folder / "pipe"));
}

TEST(WriteFile, ContinuesAnOpenFileNamedByItsNumber) {
  const TemporaryFolder folder;
  const int file = ::open((folder / "f").c_str(), O_WRONLY | O_CREAT, 0600);
  ASSERT_EQ(::write(file, "old ", 4), 4);
  write_file("/dev/fd/" + std::to_string(file), put);
  write_file("/proc/self/fd/" + std::to_string(file), put);
  ::close(file);
  EXPECT_EQ(read_text(folder / "f"), "old newnew");
  EXPECT_TRUE(refusal([&] {
                write_file("/dev/fd/" + std::to_string(file), put);
              }).starts_with("bad_data | /dev/fd/"));
}

TEST(WriteFile, RefusesPlacesThatCannotBeWritten) {
  const TemporaryFolder folder;
  EXPECT_EQ(refusal([&] { write_file(folder / "none/f", put); }),
            "bad_data | " + folder / "none/f" +
                ": cannot be written: No such file or directory | make the folder first");
  EXPECT_EQ(
      refusal([&] { write_file(folder / "", put); }),
      "bad_data | " + folder / "" + ": cannot be written: Is a directory | write to another place");
  EXPECT_TRUE(
      refusal([&] { write_file("", put); }).starts_with("bad_data | : cannot be written: "));
  EXPECT_EQ(folder.entries(), 0);
}

/// Root may write everywhere: takes the rights of another user for a while.
class AsOrdinaryUser {
 public:
  AsOrdinaryUser() {
    constexpr uid_t nobody = 65534;
    if (root_) become(nobody);
  }
  AsOrdinaryUser(const AsOrdinaryUser&) = delete;
  AsOrdinaryUser& operator=(const AsOrdinaryUser&) = delete;
  ~AsOrdinaryUser() {
    if (root_) become(0);
  }

 private:
  static void become(uid_t user) { EXPECT_EQ(::seteuid(user), 0); }

  bool root_ = ::geteuid() == 0;
};

TEST(WriteFile, RefusesWhatMayNotBeWritten) {
  const TemporaryFolder folder;
  const auto said = [&](const std::string& name) {
    const AsOrdinaryUser user;
    return refusal([&] { write_file(folder / name, put); });
  };
  const auto denied = [&](const std::string& name) {
    return "bad_data | " + folder / name +
           ": cannot be written: Permission denied | write to another place";
  };
  write_text(folder / "f", "old");
  ASSERT_EQ(::chmod((folder / "f").c_str(), 0444), 0);
  ASSERT_EQ(::chmod((folder / "").c_str(), 0777), 0);
  EXPECT_EQ(said("f"), denied("f"));
  ASSERT_EQ(::chmod((folder / "").c_str(), 0555), 0);
  EXPECT_EQ(said("g"), denied("g"));
  ASSERT_EQ(::chmod((folder / "").c_str(), 0755), 0);
  EXPECT_EQ(read_text(folder / "f"), "old");
  EXPECT_EQ(folder.entries(), 1);
}

TEST(WriteFile, TellsThatADeviceIsFull) {
  EXPECT_EQ(
      refusal([&] { write_file("/dev/full", put); }),
      "bad_data | /dev/full: cannot be written: No space left on device | free some space, or "
      "write elsewhere");
}

TEST(WriteFile, StopsAtTheFirstFailedWriteAndLeavesNothing) {
  const TemporaryFolder folder;
  write_text(folder / "f", "old");
  rlimit before = {};
  ::getrlimit(RLIMIT_FSIZE, &before);
  auto* const handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small = {1 << 20, before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &small);
  long lines = 0;
  const std::string said = refusal([&] {
    write_file(folder / "f", [&](std::ostream& out) {
      for (; lines < 100000000; ++lines) out << "a line\n";
    });
  });
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(said, "bad_data | " + folder / "f" +
                      ": cannot be written: File too large | raise the limit of file sizes, which "
                      "ulimit -f shows");
  EXPECT_LT(lines, 1000000);
  EXPECT_EQ(read_text(folder / "f"), "old");
  EXPECT_EQ(folder.entries(), 1);
}

/// Runs `write_file` in a child that is killed by `signal` in the middle of it.
int status_after(int signal, const std::string& path) {
  const pid_t child = ::fork();
  if (child == 0) {
    remove_partial_files_on_signal();
    write_file(path, [&](std::ostream& out) {
      out << "half" << std::flush;
      ::raise(signal);
    });
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

TEST(WriteFile, LeavesNothingAfterASignal) {
  const TemporaryFolder folder;
  write_text(folder / "f", "old");
  for (const int signal :
       {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGXCPU, SIGXFSZ, SIGABRT}) {
    const int status = status_after(signal, folder / "f");
    EXPECT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(WTERMSIG(status), signal);
    EXPECT_EQ(folder.entries(), 1);
    EXPECT_EQ(read_text(folder / "f"), "old");
  }
}

bool has_unnamed_files(const std::string& folder) {
  const int file = ::open(folder.c_str(), O_TMPFILE | O_WRONLY, 0600);
  if (file >= 0) ::close(file);
  return file >= 0;
}

TEST(WriteFile, LeavesNothingAfterAKillThatCannotBeCaught) {
  const TemporaryFolder folder;
  if (!has_unnamed_files(folder / "")) GTEST_SKIP() << "this file system has no unnamed files";
  write_text(folder / "f", "old");
  for (const std::string name : {"f", "g"})
    EXPECT_TRUE(WIFSIGNALED(status_after(SIGKILL, folder / name)));
  EXPECT_EQ(folder.entries(), 1);
  EXPECT_EQ(read_text(folder / "f"), "old");
}

TEST(WriteFile, AnIgnoredSignalStaysIgnored) {
  const TemporaryFolder folder;
  auto* const handler = std::signal(SIGHUP, SIG_IGN);  // as nohup does
  const int status = status_after(SIGHUP, folder / "f");
  std::signal(SIGHUP, handler);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(read_text(folder / "f"), "half");
}

void own_handler(int) {}

TEST(WriteFile, TheHandlerOfAProgramStays) {
  const pid_t child = ::fork();
  if (child == 0) {
    std::signal(SIGUSR1, own_handler);
    remove_partial_files_on_signal();
    ::_exit(std::signal(SIGUSR1, SIG_DFL) == own_handler ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST(WriteFile, LeftoversOfAKilledProcessAreInNobodysWay) {
  const TemporaryFolder folder;
  for (int i = 0; i < 1000; ++i)
    write_text(
        folder / (".genera-" + std::to_string(::getpid()) + "-" + std::to_string(i) + ".partial"),
        "left");
  write_file(folder / "f", put);
  EXPECT_EQ(read_text(folder / "f"), "new");
  EXPECT_EQ(folder.entries(), 1001);
}

}  // namespace
}  // namespace genera::write_file_test
