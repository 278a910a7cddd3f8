import type { ServerEvent } from '../../src/core/session.ts'
import { definePlugin, type Plugin } from '../../src/plugin/define-plugin.ts'

/** Listens to what happens to users and groups, and can be told to stand in its way. */
export interface ServerEventRecorder {
  readonly plugin: Plugin
  readonly events: ServerEvent[]
  /** What was announced since the last time it was asked: the names and the ids. */
  take(): readonly string[]
  /** The next event of this name makes the request fail. */
  failOn(event: string): void
}

export function createServerEventRecorder(): ServerEventRecorder {
  const events: ServerEvent[] = []
  let failing: string | undefined
  const plugin = definePlugin({
    name: 'server-event-recorder',
    serverListeners: [
      {
        name: 'recorder',
        events: ['user_created', 'user_modified', 'user_deleted', 'group_created', 'group_modified', 'group_deleted'],
        handle(event) {
          events.push(event)
          if (event.name !== failing) return
          failing = undefined
          throw new Error(`${event.name} is not wanted`)
        },
      },
    ],
  })
  return {
    plugin,
    events,
    take: () => events.splice(0).map(({ name, properties }) => `${name} ${properties['id']}`),
    failOn(event) {
      failing = event
    },
  }
}
