import { defineProblem } from '../../base/problem.ts'
import { type BulkAction, defineBulkAction } from '../../core/bulk/bulk-action.ts'
import { readDocument } from '../../core/documents/read-document.ts'
import { removeLegalHold, setLegalHold } from '../../core/documents/records/legal-hold.ts'
import { requireShortRemark } from '../../core/short-text.ts'
import type { JsonObject } from '../../model/properties/coercion.ts'
import type { Services } from '../../rest/services.ts'
import { attachRule, requireUsableRule } from './attach-rule.ts'

export const textExpected = defineProblem(
  'textExpected',
  'invalid',
  (of: { parameter: string }) => `The parameter ${of.parameter} of the action must be a text.`,
)

/** What user interfaces do to all that a search has found, each document with the rights of who asked for it. */
export function retentionBulkActions(services: Services): readonly BulkAction[] {
  return [
    defineBulkAction({
      name: 'attachRetentionRule',
      isOpen: true,
      check(parameters) {
        requireText(parameters, 'ruleId')
      },
      async run(session, id, parameters) {
        const rule = await readDocument(session, requireText(parameters, 'ruleId'))
        await attachRule(services, session, id, requireUsableRule(session.model, rule))
      },
    }),
    defineBulkAction({
      name: 'holdDocumentsAction',
      isOpen: true,
      check: ({ description }) => void commentOf(description),
      run: async (session, id, { description }) => void (await setLegalHold(session, id, commentOf(description))),
    }),
    defineBulkAction({
      name: 'unholdDocumentsAction',
      isOpen: true,
      run: async (session, id) => void (await removeLegalHold(session, id)),
    }),
  ]
}

function requireText(parameters: JsonObject, parameter: string): string {
  const value = parameters[parameter]
  if (typeof value !== 'string' || value === '') throw textExpected({ parameter })
  return value
}

function commentOf(description: unknown): { readonly comment?: string } {
  if (description === undefined || description === null) return {}
  if (typeof description !== 'string') throw textExpected({ parameter: 'description' })
  return { comment: requireShortRemark(description) }
}
