import { defineSettings } from '../../settings/define-settings.ts'

export const liveEventSettings = defineSettings({
  liveEventStreams: {
    type: 'integer',
    default: 5_000,
    min: 0,
    max: 100_000,
    help: 'Most streams of live events that a process has open',
  },
  liveEventStreamsPerUser: {
    type: 'integer',
    default: 20,
    min: 1,
    max: 10_000,
    help: 'Most streams of live events that one user may have open in a process',
  },
  liveEventBuffer: {
    type: 'bytes',
    default: '256kB',
    min: '4kB',
    max: '16MB',
    help: 'What may wait in memory for one client that reads its live events slowly; beyond it, the client is told the rest at its own pace',
  },
  liveEventKeepAlive: {
    type: 'duration',
    default: '15s',
    min: '10ms',
    max: '10m',
    help: 'How often a stream of live events is sent something, so that proxies leave it open; who takes nothing for so long is disconnected',
  },
})
