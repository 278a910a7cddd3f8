import { defineOperation } from '../src/automation/operation.ts'
import { defaulted, required } from '../src/automation/parameter.ts'
import { createDocument } from '../src/core/documents/create-document.ts'
import { definePageProvider } from '../src/core/search/providers/page-provider.ts'
import { definePlugin } from '../src/plugin/define-plugin.ts'
import { sentIn } from './load/sent-in.ts'

const terms = (field: string) => ({ id: `${field.replace(':', '_')}_agg`, type: 'terms', field }) as const

/** So that tokens can be made for it that are signed with it. */
export const benchJwtSecret = 'the secret of the measured server'

/**
 * Creates a file in a folder, with a row in the audit log or without: nothing else differs. A type of which the log tells nothing would
 * have neither dates nor contributors, and cost less for that too.
 */
export const createFile = defineOperation({
  id: 'Bench.CreateFile',
  category: 'Bench',
  description: 'Creates a file in the folder that it gets.',
  effect: 'writes',
  params: {
    name: required('string', { description: 'Its name and title' }),
    audited: defaulted('boolean', true, { description: 'Whether the audit log tells of it' }),
  },
  run: ({ on }) => [
    on('document', 'document', (parent, { session, params: { name, audited } }) =>
      createDocument(session, { parent, type: 'File', name, properties: sentIn(name), options: { audit: audited } }),
    ),
  ],
})

/** What the measured server has beside its own: a provider that counts values of three fields, and an operation. */
export default {
  // Against programs that do not stand back either.
  settings: { jwtSecret: benchJwtSecret, conversionPriority: 0 },
  plugins: [
    definePlugin({
      name: 'bench',
      requires: ['content-model'],
      operations: [createFile],
      pageProviders: [
        definePageProvider({
          name: 'bench_terms',
          pattern: 'SELECT * FROM File WHERE ecm:isVersion = 0 AND ecm:isTrashed = 0',
          pageSize: 50,
          aggregates: [terms('dc:nature'), terms('dc:creator'), terms('dc:subjects')],
        }),
      ],
    }),
  ],
}
