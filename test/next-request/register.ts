/** A state that begins with a change, for as long as nobody knows of the next. */
interface Era<State> {
  readonly state: State
  /** When the change was sent. */
  readonly sentAt: number
  /** When it was answered; undefined while it is under way. */
  doneAt?: number
}

/** What something is made to be, one change after the other, and so what may be seen of it when. */
export interface Register<State> {
  /** Makes it so by the change. */
  set(state: State, change: () => Promise<unknown>): Promise<void>
  /**
   * Whether a look that was begun and ended then may have seen the state: a change may be seen from when it is sent, and what was before
   * until it is answered.
   */
  mayBeSeen(state: State, begunAt: number, endedAt: number): boolean
}

export function createRegister<State>(initial: State, now: () => number = () => performance.now()): Register<State> {
  const eras: Era<State>[] = [{ state: initial, sentAt: Number.NEGATIVE_INFINITY, doneAt: Number.NEGATIVE_INFINITY }]
  return {
    async set(state, change) {
      const era: Era<State> = { state, sentAt: now() }
      eras.push(era)
      await change()
      era.doneAt = now()
    },
    mayBeSeen(state, begunAt, endedAt) {
      return eras.some((era, index) => {
        const overAt = eras[index + 1]?.doneAt ?? Number.POSITIVE_INFINITY
        return era.state === state && era.sentAt <= endedAt && overAt >= begunAt
      })
    },
  }
}
