import type { BareDatabase } from './bare-database.ts'

/** Does something in a transaction, and gives what came of it once that is committed. */
export type ShareCommit = <Result>(work: () => Promise<Result>) => Promise<Result>

/** What is asked for in one round of the event loop, or while the round before is written, is committed together. */
export function createSharedCommits({ transact }: BareDatabase, atEnd: () => Promise<void>): ShareCommit {
  let waiting: (() => Promise<void>)[] = []
  let committed: PromiseWithResolvers<void> | undefined

  async function writeWaiting(): Promise<void> {
    const [due, done] = [waiting.values(), committed]
    const count = waiting.length
    waiting = []
    committed = undefined
    await transact(count, async () => due.next().value?.(), atEnd)
    done?.resolve()
  }
  let lastWritten = Promise.resolve()
  const writeLater = () => {
    lastWritten = lastWritten.then(writeWaiting)
  }

  return async (work) => {
    if (committed === undefined) {
      committed = Promise.withResolvers()
      setImmediate(writeLater)
    }
    const { promise } = committed
    let result: Awaited<ReturnType<typeof work>> | undefined
    waiting.push(async () => {
      result = await work()
    })
    await promise
    return result as Awaited<ReturnType<typeof work>>
  }
}
