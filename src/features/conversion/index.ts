import { trimCache } from '../../core/conversion/conversion-cache.ts'
import { conversionSettings } from '../../core/conversion/conversion-settings.ts'
import { definePlugin } from '../../plugin/define-plugin.ts'
import { builtinConverters } from './builtin-converters.ts'
import { convertAdapter } from './convert-adapter.ts'
import { scheduledConversions, scheduledRoutes } from './scheduled-conversion.ts'

/** Files in other formats. */
export default definePlugin({
  name: 'conversion',
  requires: ['documents', 'files'],
  converters: builtinConverters,
  adapters: [convertAdapter],
  routes: scheduledRoutes,
  contribute: (_, services) => ({
    jobs: [scheduledConversions(services)],
    schedules: [
      {
        name: 'trimConversionCache',
        everySeconds: 600,
        run: (session) => trimCache(session, services.valuesOf(conversionSettings).conversionCacheMaxBytes),
      },
    ],
  }),
})
