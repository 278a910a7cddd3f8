import { defineSettings } from '../settings/define-settings.ts'

/** Where traces are sent, and which. */
export const traceSettings = defineSettings({
  traceUrl: {
    type: 'url',
    protocols: ['http', 'https'],
    help: 'Collector of traces, spoken to by OTLP over HTTP: http://collector:4318; without one nothing is recorded',
  },
  traceRatio: {
    type: 'string',
    default: '1',
    pattern: { matches: /^(?:0|1|0?\.\d{1,9}|1\.0+)$/, expected: 'a number from 0 to 1, such as 0.05' },
    help: 'Share of requests that is recorded',
  },
  traceTrustCallers: {
    type: 'boolean',
    default: false,
    help: 'Record whatever a caller says that it records (traceparent), and nothing of what it says that it does not, in place of the share',
  },
  traceName: {
    type: 'string',
    default: 'quire',
    pattern: { matches: /^[\x21-\x7e]{1,100}$/, expected: 'up to 100 letters, digits and signs without blanks' },
    help: 'Name of the server in traces',
  },
  traceHeaders: {
    type: 'secret',
    help: 'Headers that the collector wants, such as authorization=Bearer …, with commas between them',
  },
})
