import { createContext, useContext, useEffect } from 'react'

/** Goes on with leaving, or asks first. */
export type AskToLeave = (leave: () => void) => void

const everybody = new Set<AskToLeave>()

/** Who asks before a part of the page goes that one leaves as a whole: a dialog, or all that is below no dialog. */
export const AskedHere = createContext<Set<AskToLeave>>(new Set())

/** Leaves it once nobody there minds; the first who does asks for all of them. */
export function leaveHere(asked: ReadonlySet<AskToLeave>, leave: () => void): void {
  const [ask] = asked
  if (ask === undefined) leave()
  else ask(leave)
}

/** For what takes the place of a part of the page without being another address. */
export function useLeaving(): AskToLeave {
  const asked = useContext(AskedHere)
  return (leave) => leaveHere(asked, leave)
}

/** Has `ask` called before the part of the page around it is left, while something would be lost. */
export function useAskedToLeave(isAsked: boolean, ask: AskToLeave): void {
  const asked = useContext(AskedHere)
  useEffect(() => {
    if (!isAsked) return
    for (const all of [asked, everybody]) all.add(ask)
    return () => {
      for (const all of [asked, everybody]) all.delete(ask)
    }
  }, [isAsked, asked, ask])
}

/** Whether this one speaks for all of the page: of several who would lose something one asks. */
export function isSpokesman(ask: AskToLeave): boolean {
  const [first] = everybody
  return first === ask
}
