import type { Services } from '../rest/services.ts'
import { pluginMistake } from './plugin-mistake.ts'

/**
 * The services of a server that is still being put together, for plugins to hand to the functions that they contribute. They are whole
 * or not there at all: who reads one too early is told so.
 */
export interface DeferredServices {
  /** For the plugin, whose name a refusal says. */
  servicesFor(plugin: string): Services
  arrive(services: Services): void
}

export function deferServices(): DeferredServices {
  let arrived: Services | undefined
  return {
    servicesFor: (plugin) =>
      new Proxy({} as Services, {
        get(_, name) {
          if (arrived !== undefined) return Reflect.get(arrived, name)
          const reason = `contribute reads services.${String(name)}, which is there once the server is put together: read it in the function that needs it`
          throw pluginMistake({ plugin, reason })
        },
      }),
    arrive(services) {
      arrived = services
    },
  }
}
