import { availableParallelism } from 'node:os'
import { type Finding, isWithinBound, shareOf } from './finding.ts'

/** The findings for programs, with what is needed to know whether two runs can be compared. */
export function jsonOf(run: { engine: string; seconds: number; findings: readonly Finding[] }): string {
  const findings = run.findings.map((finding) => ({
    ...finding,
    ...(finding.measure.kind === 'rate' && { ratio: shareOf(finding.measure) }),
    isWithinBound: isWithinBound(finding.measure) ?? null,
  }))
  const result = { ...run, node: process.version, processors: availableParallelism(), findings }
  return `${JSON.stringify(result, undefined, 2)}\n`
}
