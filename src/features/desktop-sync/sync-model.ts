import { defineFacet } from '../../model/document-type.ts'
import { boolean, complex, date, list, string } from '../../model/field.ts'
import { defineSchema } from '../../model/schema.ts'

/** Of those who synchronise a folder so many stand in a list of it, which is rewritten when another comes or goes. */
export const maxSubscriptions = 500
export const subscriptionsProperty = 'drv:subscriptions'
export const synchronisedFacet = 'DriveSynchronized'

/**
 * Who synchronises a folder, as clients of the API read it. What decides are the rows of `desktop_sync_roots`: a document says what whoever
 * may write it would have it say, and is not found by a user's name in a moment.
 */
export const driveRootSchema = defineSchema('driveroot', {
  prefix: 'drv',
  fields: {
    subscriptions: list(complex({ username: string(), enabled: boolean(), lastChangeDate: date() }), {
      itemName: 'subscription',
      maxItems: maxSubscriptions,
      hasWords: false,
    }),
  },
  staysBehind: true,
  secured: ['subscriptions'],
})

export const driveSynchronized = defineFacet(synchronisedFacet, ['driveroot'], { isReserved: true })
