import { stringifyJson } from '../../base/json.ts'
import type { Terminal } from '../../command/command.ts'
import { progressLine } from '../../command/progress-bar.ts'

/** Whoever sees how far a backup is. Files are looked at twice: before the moment, and in it. */
export interface BackupWatcher {
  begin(inAll: { readonly files: number; readonly rows: number }): void
  onFile(): void
  onRows(count: number): void
  end(): void
}

const rowsBetweenLines = 1_000
const millisBetweenLines = 500

/** On a terminal, if there is one. */
export function drawBackup(terminal: Terminal | undefined): BackupWatcher {
  let [files, rows, rowsInAll, started] = [0, 0, 0, 0]
  return {
    begin(inAll) {
      rowsInAll = inAll.rows
    },
    onFile() {
      files += 1
      terminal?.draw(`files: ${files} looked at`)
    },
    onRows(count) {
      started ||= performance.now()
      const before = rows
      rows += count
      if (Math.floor(rows / rowsBetweenLines) === Math.floor(before / rowsBetweenLines)) return
      const seconds = (performance.now() - started) / 1_000
      terminal?.draw(progressLine({ done: rows, total: Math.max(rows, rowsInAll), unit: 'rows', seconds }, terminal.columns))
    },
    end: () => terminal?.draw(''),
  }
}

/** For programs: a line of JSON, at most two a second. */
export function printBackup(print: (line: string) => void): BackupWatcher {
  let [files, rows, inAll, printed] = [0, 0, { files: 0, rows: 0 }, 0]
  const tell = () => {
    if (performance.now() - printed < millisBetweenLines) return
    printed = performance.now()
    print(stringifyJson({ progress: { files, filesInAll: inAll.files, rows, rowsInAll: inAll.rows } }))
  }
  return {
    begin(all) {
      inAll = all
      tell()
    },
    onFile() {
      files += 1
      tell()
    },
    onRows(count) {
      rows += count
      tell()
    },
    end() {},
  }
}
