import { startBareProgram } from '../bare/bare-program.ts'
import type { ChangeRightsSetup } from '../bare/change-rights-program.ts'
import type { Contender } from '../rounds.ts'
import type { RateRow } from './rate-row.ts'

/** There and back. */
const changesAtOnce = 2

/** No method of the API changes rights by itself, so the session does it in a program of its own, beside the server. */
export const changeRights: RateRow = {
  name: 'change-rights',
  title: 'new rights for the whole tree, documents',
  async prepare({ files, place }) {
    const contender = async (by: ChangeRightsSetup['by']): Promise<Contender> => {
      const setup: ChangeRightsSetup = { by, database: place.database, settings: place.settings }
      const program = await startBareProgram(new URL('../bare/change-rights-program.ts', import.meta.url), setup)
      const { processId, stop } = program
      return { processId, rateFor: async (seconds) => (await program.workFor(seconds)) * files * changesAtOnce, stop }
    }
    return { quire: await contender('session'), bare: await contender('statement') }
  },
}
