import { useSyncExternalStore } from 'react'

/** What is to happen with files that their folders have already. */
export type DuplicateChoice = 'replace' | 'both' | 'skip'

/** Asked once for all files that were chosen or dropped together. */
export interface DuplicateQuestion {
  /** Of the files that there are already. */
  readonly names: readonly string[]
  /** How many files there are in all. */
  readonly of: number
  answer(choice: DuplicateChoice): void
}

const watchers = new Set<() => void>()
let questions: readonly DuplicateQuestion[] = []

function change(next: readonly DuplicateQuestion[]): void {
  questions = next
  for (const watcher of watchers) watcher()
}

/** Asks whoever is before the screen; one after the other where files come twice meanwhile. */
export function askAboutDuplicates(names: readonly string[], of: number): Promise<DuplicateChoice> {
  const { promise, resolve } = Promise.withResolvers<DuplicateChoice>()
  const question: DuplicateQuestion = {
    names,
    of,
    answer: (choice) => {
      change(questions.filter((one) => one !== question))
      resolve(choice)
    },
  }
  change([...questions, question])
  return promise
}

export function useDuplicateQuestion(): DuplicateQuestion | undefined {
  return useSyncExternalStore(watch, () => questions[0])
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}
