import { defineFacet } from '../../model/document-type.ts'
import { complex, date, list, string } from '../../model/field.ts'
import { defineSchema } from '../../model/schema.ts'

/** What is known of a request beside who is invited by whom. */
export const invitationSchema = defineSchema('invitation', {
  prefix: 'invitation',
  fields: {
    /** When its link ends. */
    expires: date(),
    /** What the inviter wants whoever writes the mail to know. */
    info: list(complex({ key: string(), value: string() })),
  },
})

export const invitationFacet = defineFacet('Invitation', ['invitation'])
