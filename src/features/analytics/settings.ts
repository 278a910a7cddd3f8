import { defineSettings } from '../../settings/define-settings.ts'

export const analyticsSettings = defineSettings({
  analyticsMaxRows: {
    type: 'integer',
    default: 500_000,
    min: 1,
    max: 5_000_000,
    help: 'Most rows of the audit log that are looked at for one request for figures; one that would need more is refused',
  },
})
