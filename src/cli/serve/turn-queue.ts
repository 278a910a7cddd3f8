/** Who has the turn at something, and who waits for it, first come, first served. */
export interface TurnQueue<Worker> {
  readonly holder?: Worker
  readonly waiting: readonly Worker[]
}

export type TurnEvent<Worker> =
  /** A worker wants the turn. */
  | { readonly kind: 'want'; readonly worker: Worker }
  /** It does not need it any longer, or is no more, whether it had it or not. */
  | { readonly kind: 'leave'; readonly worker: Worker }

/** What a worker is told: that it has the turn, and whether to give it back as soon as it can. */
export interface TurnNotice<Worker> {
  readonly worker: Worker
  readonly kind: 'turn' | 'turnWanted'
}

export interface TurnPlan<Worker> {
  readonly queue: TurnQueue<Worker>
  readonly notices: readonly TurnNotice<Worker>[]
}

export const noTurnTaken: TurnQueue<never> = { waiting: [] }

/**
 * A worker keeps the turn until another wants it, so that one which writes alone asks once and for all. From the moment that one waits the
 * holder knows, and gives the turn back when what it is writing is committed; if it wants it again, it is the last in line.
 */
export function planTurns<Worker>(queue: TurnQueue<Worker>, event: TurnEvent<Worker>): TurnPlan<Worker> {
  return event.kind === 'want' ? planWant(queue, event.worker) : planLeave(queue, event.worker)
}

function planWant<Worker>(queue: TurnQueue<Worker>, worker: Worker): TurnPlan<Worker> {
  const { holder, waiting } = queue
  if (holder === undefined) return { queue: { holder: worker, waiting }, notices: [{ worker, kind: 'turn' }] }
  if (holder === worker || waiting.includes(worker)) return { queue, notices: [] }
  const notices = waiting.length === 0 ? [{ worker: holder, kind: 'turnWanted' } as const] : []
  return { queue: { holder, waiting: [...waiting, worker] }, notices }
}

function planLeave<Worker>({ holder, waiting }: TurnQueue<Worker>, worker: Worker): TurnPlan<Worker> {
  const others = waiting.filter((other) => other !== worker)
  if (holder !== undefined && holder !== worker) return { queue: { holder, waiting: others }, notices: [] }
  const [next, ...later] = others
  if (next === undefined) return { queue: noTurnTaken, notices: [] }
  const granted = { worker: next, kind: 'turn' } as const
  const notices = later.length === 0 ? [granted] : [granted, { worker: next, kind: 'turnWanted' } as const]
  return { queue: { holder: next, waiting: later }, notices }
}
