import { definePlugin } from '../../plugin/define-plugin.ts'
import { dropGuestEntries, guestTables, noteGuestEntries } from './guest-entries.ts'
import { endGuests, settleGuestsJob } from './guest-token.ts'

export { settleGuest } from './guest-token.ts'

/** Those without an account who were given a right by their address: a token lets them in while they have one. */
export default definePlugin({
  name: 'guests',
  requires: ['tokens'],
  tables: guestTables,
  listeners: [noteGuestEntries, dropGuestEntries],
  schedules: [endGuests],
  contribute: (_, services) => ({ jobs: [settleGuestsJob(services)] }),
})
