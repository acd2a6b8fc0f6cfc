// Records are the same whatever the buffers: with tiny ones the storage is replaced all the time.
#include "../check.hpp"
#include "../targets.hpp"
#include "same_rows.hpp"

#include <numeric>
#include <string>
#include <vector>

#include "data/bytes/record_cutter.hpp"

namespace genera::fuzz {
namespace {

using data::RecordCutter;

struct Cut {
  std::vector<std::string> texts{};
  std::vector<Index> records{};
  std::vector<std::int64_t> lines{};
  std::string refused{};
  friend bool operator==(const Cut&, const Cut&) = default;
};

struct Job {
  data::RecordForm form{};
  Index records = 1;
  RecordCutter::Pause pause = RecordCutter::Pause::wait;
  std::size_t look = 0;
};

Cut cut(const Source& source, const Job& job, RecordCutter::Buffers buffers) {
  Cut result;
  result.refused = refusal([&] {
    RecordCutter cutter(source, data::Reread::never, job.pause, buffers);
    (void)cutter.look_ahead(job.look, 2);
    if (job.look > 0) cutter.skip_lines_without_record(job.form);
    std::vector<data::RecordChunk> chunks;  // all are kept: they share storage
    while (auto chunk = cutter.next(job.records, job.form)) chunks.push_back(*std::move(chunk));
    for (const data::RecordChunk& chunk : chunks) {
      result.texts.emplace_back(chunk.text);
      if (chunk.newline_added) result.texts.back().pop_back();
      result.records.push_back(chunk.records);
      result.lines.push_back(chunk.first_line);
    }
  });
  return result;
}

}  // namespace

void records(std::string_view bytes) {
  Input input(bytes);
  Job job;
  job.form.delimiter = ",;\t|"[input.choice(4)];
  const std::size_t form = input.choice(4);
  if (form == 1) job.form = data::plain_lines;
  job.form.blank_records = form == 2;
  job.form.blanks_before = job.form.blanks_behind = form == 3;
  job.records = static_cast<Index>(1 + input.choice(5));
  const std::size_t look = input.choice(64);
  job.look = form == 3 ? 0 : look;  // what is skipped would be lost
  const std::size_t piece = 1 + input.choice(9);
  const RecordCutter::Buffers tiny{.storage = 1 + input.choice(40), .at_once = 1 + input.choice(9)};

  const Cut whole = cut(Source::text(input.rest(), "in"), job, {});
  require(whole == cut(Source::text(input.rest(), "in"), job, tiny),
          "buffers change nothing of the records");
  require(whole == cut(in_pieces(input.rest(), piece, Source::Format::csv), job, tiny),
          "pieces change nothing of the records");
  if (form != 3 || !whole.refused.empty()) return;
  const std::string again = std::accumulate(whole.texts.begin(), whole.texts.end(), std::string());
  require(again == input.rest(), "with blank lines, records are the bytes of the source");
}

}  // namespace genera::fuzz
