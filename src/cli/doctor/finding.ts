/** Something that was looked at. */
export interface Finding {
  /** `wrong`: the server does not start, loses something or is open to others. `advice`: it would be better otherwise. */
  readonly state: 'good' | 'advice' | 'wrong'
  /** What was looked at: `database`. */
  readonly about: string
  readonly fact: string
  /** What comes of it. */
  readonly costs?: string
  /** What to do. */
  readonly remedy?: string
}

export function good(about: string, fact: string): Finding {
  return { state: 'good', about, fact }
}

type Told = Pick<Finding, 'about' | 'fact'> & { readonly costs: string; readonly remedy: string }

export function advice(told: Told): Finding {
  return { state: 'advice', ...told }
}

export function wrong(told: Told): Finding {
  return { state: 'wrong', ...told }
}

/** What somebody else says, in one line: it may be of a server that is not ours. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error)
  return text
    .replaceAll(/\p{Cc}+/gu, ' ')
    .slice(0, 300)
    .replace(/\.?$/, '.')
}

export function inMegabytes(bytes: number): string {
  return `${Math.floor(bytes / 1e6).toLocaleString('en')} MB`
}
