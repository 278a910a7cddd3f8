import { after } from 'node:test'

const actions: (() => Promise<void>)[] = []

/** Does something when the last test of the process is over. */
export function atEnd(action: () => Promise<void>): void {
  actions.push(action)
}

after(async () => {
  for (const action of actions) await action()
})
