import { defineOperation } from '../../automation/operation.ts'
import { defaulted, optional } from '../../automation/parameter.ts'
import { removeLegalHold, setLegalHold } from '../../core/documents/records/legal-hold.ts'
import { makeRecord } from '../../core/documents/records/make-record.ts'
import { setRetention } from '../../core/documents/records/set-retention.ts'
import { indeterminately } from '../../model/retention.ts'

export const hold = defineOperation({
  id: 'Document.Hold',
  category: 'Retention',
  description: 'Keeps the document from being removed until the hold is taken away.',
  effect: 'writes',
  params: { description: optional('string', { description: 'Why; it goes into the log' }) },
  run: ({ each }) => [
    each('document', 'document', ({ id }, { session, params: { description } }) =>
      setLegalHold(session, id, description === undefined ? {} : { comment: description }),
    ),
  ],
})

export const unhold = defineOperation({
  id: 'Document.Unhold',
  category: 'Retention',
  description: 'Takes the hold on the document away.',
  effect: 'writes',
  params: {},
  run: ({ each }) => [each('document', 'document', ({ id }, { session }) => removeLegalHold(session, id))],
})

export const retain = defineOperation({
  id: 'Document.Retain',
  category: 'Retention',
  description: 'Makes the document a record, if it is none, and keeps it from being removed until a date.',
  effect: 'writes',
  params: { until: defaulted('date', indeterminately, { description: 'Absent: until a later call says a date' }) },
  run: ({ each }) => [
    each('document', 'document', async ({ id, isRecord }, { session, params }) => {
      if (!isRecord) await makeRecord(session, id)
      return setRetention(session, id, params.until)
    }),
  ],
})
