import { useId, useState } from 'react'
import { Described, describedBy } from '../../ui/described.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { type Period, type PeriodUnit, periodUnits } from '../retention/rule.ts'
import styles from './rule-form.module.css'
import { useRuleWords } from './words.ts'

export interface PeriodFieldsProps {
  readonly label: string
  readonly hint: string
  readonly value: Period
  readonly units?: readonly PeriodUnit[]
  readonly mistake?: string | undefined
  onChange(value: Period): void
}

/** A length of time, counted in several units that add up. */
export function PeriodFields({ label, hint, value, units = periodUnits, mistake, onChange }: PeriodFieldsProps) {
  const id = useId()
  return (
    <fieldset className={styles.period} aria-describedby={describedBy(id, { hint, mistake })}>
      <legend>{label}</legend>
      <div className={styles.units}>
        {units.map((unit) => (
          <UnitField key={unit} unit={unit} count={value[unit]} onChange={(count) => onChange({ ...value, [unit]: count })} />
        ))}
      </div>
      <Described id={id} hint={hint} mistake={mistake} />
    </fieldset>
  )
}

interface UnitFieldProps {
  readonly unit: PeriodUnit
  readonly count: number
  onChange(count: number): void
}

/** What is no number shows as it was typed, and counts as a number that the server refuses. */
function UnitField({ unit, count, onChange }: UnitFieldProps) {
  const say = useRuleWords()
  const [typed, setTyped] = useState<string>()
  const read = (text: string) => {
    setTyped(text)
    const next = Number(text.trim().replace(',', '.'))
    onChange(Number.isNaN(next) ? -1 : next)
  }
  const shown = typed !== undefined && Number(typed.trim().replace(',', '.')) === count ? typed : undefined
  return (
    <TextField
      label={say(unit)}
      inputMode="numeric"
      maxLength={14}
      value={shown ?? (count === -1 && typed !== undefined ? typed : count === 0 ? '' : String(count))}
      placeholder="0"
      onChange={read}
    />
  )
}
