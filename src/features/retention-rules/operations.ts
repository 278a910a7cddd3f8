import { defineOperation, type Operation } from '../../automation/operation.ts'
import { defaulted, required } from '../../automation/parameter.ts'
import { defineProblem } from '../../base/problem.ts'
import { readDocument } from '../../core/documents/read-document.ts'
import type { Services } from '../../rest/services.ts'
import { attachRule, requireUsableRule } from './attach-rule.ts'
import { detachRule } from './detach-rule.ts'
import { fireEvent } from './fire-event.ts'
import { targetIn } from './rule-definition.ts'

export const ruleNotManual = defineProblem(
  'ruleNotManual',
  'invalid',
  (of: { id: string }) => `The retention rule ${of.id} is attached automatically. Only manual rules are attached by hand.`,
)

export function retentionOperations(services: Services): readonly Operation[] {
  return [
    defineOperation({
      id: 'Retention.AttachRule',
      category: 'Retention',
      description: 'Makes the document a record and retains it as a rule says. The record keeps a copy of the rule as it is now.',
      effect: 'writes',
      params: { rule: required('document', { description: 'A manual retention rule that is enabled and accepts the document' }) },
      run: ({ each }) => [
        each('document', 'document', async ({ id }, { session, params }) => {
          const rule = requireUsableRule(session.model, await readDocument(session, params.rule.id))
          if (targetIn(rule.document.properties).isAutomatic) throw ruleNotManual({ id: rule.document.id })
          return attachRule(services, session, id, rule)
        }),
      ],
    }),
    defineOperation({
      id: 'Document.UnattachRetentionRule',
      category: 'Retention',
      description: 'Takes a rule for flexible records back, and ends the retention. The document stays a record.',
      effect: 'writes',
      params: {},
      run: ({ each }) => [each('document', 'document', ({ id }, { session }) => detachRule(session, id))],
    }),
    defineOperation({
      id: 'Retention.FireEvent',
      category: 'Retention',
      description:
        'Begins the retention of all records whose rule waits for the event. What is put in is compared with what the rule asks of the event.',
      effect: 'writes',
      params: {
        name: required('string', { description: 'An entry of the vocabulary RetentionEvent' }),
        audit: defaulted('boolean', true, { description: 'Whether the log tells of it' }),
      },
      run: ({ on }) => [
        on('void', 'void', (_, { session, params }) =>
          fireEvent(session, { name: params.name, input: undefined, isAudited: params.audit }),
        ),
        on('string', 'void', (input, { session, params }) =>
          fireEvent(session, { name: params.name, input, isAudited: params.audit }),
        ),
      ],
    }),
  ]
}
