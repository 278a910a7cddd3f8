import type { CallLimits } from '../../src/automation/budget.ts'

/** What one call may take unless it is set otherwise. */
export const usualCallLimits: CallLimits = {
  steps: 50_000,
  bytes: 33_554_432,
  valueBytes: 2_097_152,
  documents: 20_000,
  documentBytes: 67_108_864,
  millis: 10_000,
}
