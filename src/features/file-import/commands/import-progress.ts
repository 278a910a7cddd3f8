import { performance } from 'node:perf_hooks'
import type { Terminal } from '../../../command/command.ts'
import { progressLine, shownNumber } from '../../../command/progress-bar.ts'
import type { SourceEntry } from './source-tree.ts'
import { filesDone, type ImportTally } from './tally.ts'

/** What a terminal shows of an import while it goes on. */
export interface ImportProgress {
  /** Counts the files that there are; without a terminal none are counted. */
  count(entries: AsyncIterable<SourceEntry>, isStopped: () => boolean): Promise<void>
  show(tally: ImportTally): void
  /** Prints a line that stays. */
  interrupt(print: () => void): void
  end(): void
}

const redrawMilliseconds = 100

export function createImportProgress(terminal: Terminal | undefined, now = () => performance.now()): ImportProgress {
  if (terminal === undefined) return unwatched
  let total = 0
  let started = now()
  let drawn = Number.NEGATIVE_INFINITY

  const draw = (line: () => string) => {
    if (now() - drawn < redrawMilliseconds) return
    drawn = now()
    terminal.draw(line())
  }
  const clear = () => {
    drawn = Number.NEGATIVE_INFINITY
    terminal.draw('')
  }
  return {
    async count(entries, isStopped) {
      for await (const { kind } of entries) {
        if (isStopped()) break
        if (kind === 'file') total += 1
        draw(() => `${shownNumber(total)} files found`)
      }
      clear()
      started = now()
    },
    show: (tally) =>
      draw(() => {
        const facts = { done: filesDone(tally), total, unit: 'files', seconds: (now() - started) / 1_000 }
        return progressLine(facts, terminal.columns)
      }),
    interrupt(print) {
      clear()
      print()
    },
    end: clear,
  }
}

const unwatched: ImportProgress = { count: async () => {}, show: () => {}, interrupt: (print) => print(), end: () => {} }
