import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { expireRetentions } from '../../src/core/documents/records/record-expiry.ts'
import type { Repository } from '../../src/core/session.ts'
import type { TestServer } from '../../src/testing.ts'
import { untilIdle } from './background.ts'
import type { Role } from './operation-bench.ts'
import { operationsOn } from './operations.ts'
import { type Answered, requireStatus, type Workbench } from './workbench.ts'

/** Rules of retention, and the time that they wait for. */
export interface RetentionBench {
  readonly repository: () => Repository
  /** A manual rule that begins at once and lasts a year, unless told; gives its id. */
  rule(properties?: object, options?: { parent?: string }): Promise<string>
  attach(document: string, rule: string, as?: Role | 'keeper'): Promise<Answered>
  /** Ends what is over, once that moment has come. */
  waitUntilOver(retainUntil: string): Promise<void>
  /** Who did it and what was said, by the log. */
  logged(document: string, event: string): Promise<readonly (readonly [string, string | null])[]>
  /** Does it to all documents of which the condition holds, and gives how it went. */
  runBulk(action: string, condition: string, parameters: object, as?: Role): Promise<Answered>
}

export function retentionBenchOn(server: TestServer, bench: Workbench): RetentionBench {
  const repository = () => {
    const found = server.services.repositories.get('default')
    assert.ok(found)
    return found
  }
  return {
    repository,
    async rule(properties = {}, { parent = '/RetentionRules' } = {}) {
      const defaults = {
        'dc:title': 'a rule',
        'retention_def:startingPointPolicy': 'immediate',
        'retention_def:durationYears': 1,
      }
      return (await bench.create('RetentionRule', { ...defaults, ...properties }, { parent })).uid
    },
    attach: async (input, rule, as = 'Administrator') =>
      requireStatus(
        200,
        await operationsOn(server, as)('Retention.AttachRule', { input, params: { rule } }, { properties: '*' }),
      ),
    async waitUntilOver(retainUntil) {
      await wait(Math.max(0, Date.parse(retainUntil) - Date.now()) + 2)
      await expireRetentions(repository())
      await untilIdle(server)
    },
    async logged(document, event) {
      const { entries } = requireStatus(200, await server.as('Administrator').get(`/id/${document}/@audit`))
      const told = entries.filter(({ eventId }: Answered) => eventId === event)
      return told.map(({ principalName, comment }: Answered) => [principalName, comment ?? null])
    },
    async runBulk(action, condition, parameters, as = 'Administrator') {
      const params = { action, query: `SELECT * FROM Document WHERE ${condition}`, parameters: JSON.stringify(parameters) }
      const { value } = requireStatus(200, await operationsOn(server, as)('Bulk.RunAction', { params }))
      await untilIdle(server)
      return requireStatus(200, await server.as('Administrator').get(`/bulk/${value.commandId}`))
    },
  }
}
