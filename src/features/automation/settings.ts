import { defineSettings } from '../../settings/define-settings.ts'

/** What the registry lists, and for how long asynchronous calls are remembered (contract: operations 1.6 and 1.11). */
export const callSettings = defineSettings({
  automationExportAliases: {
    type: 'boolean',
    default: false,
    property: 'platform.automation.export.aliases',
    help: 'List operations under their aliases, too',
  },
  automationAsyncStateWait: {
    type: 'duration',
    default: '20s',
    max: '1m',
    help: 'Time for which a question for the state of an asynchronous call waits for its end',
  },
  automationAsyncResultTtl: {
    type: 'duration',
    default: '120m',
    min: '1s',
    help: 'Time for which the result of an asynchronous call is kept until somebody reads it',
  },
  automationAsyncReadResultTtl: {
    type: 'duration',
    default: '10m',
    min: '1s',
    help: 'Time for which it is kept once it was read',
  },
})
