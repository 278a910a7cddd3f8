import { setTimeout as pause } from 'node:timers/promises'
import { definePlugin } from '../../src/plugin/define-plugin.ts'

/** A server whose answers take a while when they are asked for with one of these enrichers. */
export default {
  plugins: [
    definePlugin({
      name: 'slowness',
      enrichers: [
        { entityType: 'document', name: 'slowly', enrich: () => pause(150, { slowly: true }) },
        { entityType: 'document', name: 'moreSlowly', enrich: () => pause(300, { moreSlowly: true }) },
      ],
    }),
  ],
}
