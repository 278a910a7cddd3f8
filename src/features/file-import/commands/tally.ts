/** Why something on disk is not taken. */
export type LeftOutReason = 'hidden' | 'link' | 'special'

/** Something that was not imported, and why. */
export interface NotImported {
  readonly path: string
  readonly reason: string
}

/** What an import has come to. */
export interface ImportTally {
  /** Files that became documents, or would. */
  readonly imported: number
  readonly overwritten: number
  readonly bytes: number
  /** Files whose documents were there. */
  readonly alreadyThere: number
  /** Folders that were made, or would be. */
  readonly folders: number
  readonly leftOut: Readonly<Record<LeftOutReason, number>>
  readonly failed: number
  /** The first of those that were left out or failed. */
  readonly notImported: readonly NotImported[]
}

export type ImportOutcome =
  | { readonly kind: 'imported' | 'overwritten'; readonly bytes: number }
  | { readonly kind: 'alreadyThere' }
  | { readonly kind: 'folder' }
  | { readonly kind: 'leftOut'; readonly path: string; readonly reason: LeftOutReason }
  | { readonly kind: 'failed'; readonly path: string; readonly reason: string }

/** Counts outcomes as they come. */
export interface Counter {
  readonly tally: ImportTally
  add(outcome: ImportOutcome): void
}

// Enough to see what is wrong, and little enough to keep.
const maxListed = 1_000

export function createCounter(tell: (outcome: ImportOutcome) => void = () => {}): Counter {
  const leftOut = { hidden: 0, link: 0, special: 0 }
  const notImported: NotImported[] = []
  const tally = { imported: 0, overwritten: 0, bytes: 0, alreadyThere: 0, folders: 0, leftOut, failed: 0, notImported }

  const add = (outcome: ImportOutcome) => {
    switch (outcome.kind) {
      case 'imported':
      case 'overwritten':
        tally.bytes += outcome.bytes
        tally[outcome.kind] += 1
        break
      case 'folder':
        tally.folders += 1
        break
      case 'leftOut':
        leftOut[outcome.reason] += 1
        list(outcome)
        break
      case 'failed':
        list(outcome)
        tally.failed += 1
        break
      case 'alreadyThere':
        tally.alreadyThere += 1
    }
    tell(outcome)
  }
  const list = ({ path, reason }: NotImported) => {
    if (notImported.length < maxListed) notImported.push({ path, reason })
  }
  return { tally, add }
}

/** Why, in one line: the sentence of a problem, or what was said of an error. */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.replaceAll(/\s*\n\s*/g, ' ')
}

/** Files that were dealt with, one way or another. */
export function filesDone({ imported, overwritten, alreadyThere, failed }: ImportTally): number {
  return imported + overwritten + alreadyThere + failed
}
