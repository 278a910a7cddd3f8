import type { Commands } from '../../command/command.ts'

/** What an operator asks about conversions. */
export const conversionCommands: Commands = {
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
}
