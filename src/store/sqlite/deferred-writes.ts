import type { Rewindable, SqlStatement } from '../sql/connection.ts'

/**
 * Statements that wait for the commit of all that share it, or for the first search that would have to see what they write. FTS5
 * writes out what it has in memory at every savepoint: words of 16 documents, each in a transaction of its own, cost 95 µs a document
 * one by one and 55 µs written together before the commit.
 */
export interface DeferredWrites extends Rewindable {
  add(statement: SqlStatement): Promise<void>
  /** Runs them in the order in which they came. */
  flush(): Promise<void>
  clear(): void
}

// A large transaction writes in between, so that what waits takes no more memory than this.
const maxCharacters = 1_000_000

interface Connection {
  runNow(statement: SqlStatement): void
  /** Undefined, or what to wait for before the next statement. */
  nextTurn(): Promise<void> | undefined
}

export function createDeferredWrites({ runNow, nextTurn }: Connection): DeferredWrites {
  let waiting: SqlStatement[] = []
  let characters = 0

  const replace = (statements: SqlStatement[]) => {
    waiting = statements
    characters = statements.reduce((sum, statement) => sum + lengthOf(statement), 0)
  }
  const flush = async () => {
    const due = waiting
    replace([])
    for (const statement of due) {
      const turn = nextTurn()
      if (turn !== undefined) await turn
      runNow(statement)
    }
  }
  return {
    flush,
    async add(statement) {
      waiting.push(statement)
      characters += lengthOf(statement)
      if (characters > maxCharacters) await flush()
    },
    clear: () => replace([]),
    // Whatever was run since then is undone with the part that is undone, and waits again.
    mark() {
      const before = [...waiting]
      return () => replace([...before])
    },
  }
}

function lengthOf({ values }: SqlStatement): number {
  return values.reduce((sum: number, value) => sum + (typeof value === 'string' ? value.length : 0), 0)
}
