import type { Problem } from '../../base/problem.ts'
import type { CallBudget } from '../budget.ts'
import type { OperationContext } from '../context.ts'
import { nothing, type Value } from '../values/value.ts'
import { documentCall, documentItem, documentMember } from './document-members.ts'
import { expressionWrong } from './expression-wrong.ts'
import { momentOfValue } from './moment.ts'
import { boolean, findTruth, isEmpty, list, number, type Operand, plainValue, type Reply, textOf } from './operand.ts'
import { calculate, comparisons, findOrder, isEqual } from './operators.ts'
import type { BinaryOperator, Expression } from './syntax.ts'
import { callOnValue, itemOfValue, memberOfValue } from './value-members.ts'
import { costOf, ownWeight, weigh } from './weight.ts'

/** What names mean. */
export type FindBinding = (name: string) => Reply

/** Most of what an expression looks at is at hand: a promise for each of its parts takes longer than all else. */
type Evaluated = Operand | Promise<Operand>

function after(operand: Evaluated, use: (operand: Operand) => Evaluated): Evaluated {
  return operand instanceof Promise ? operand.then(use) : use(operand)
}

// One expression of a chain takes a few dozen; a script that takes more is lost in what it does.
const maxSteps = 5_000

/** Walks through expressions that were read, over what they are allowed to see and nothing else. */
export class Evaluation {
  readonly #context: OperationContext
  readonly #find: FindBinding
  readonly #text: string
  #steps = 0

  constructor(context: OperationContext, find: FindBinding, text: string) {
    this.#context = context
    this.#find = find
    this.#text = text
  }

  /** @throws expressionWrong */
  evaluate(expression: Expression): Evaluated {
    this.#steps += 1
    if (this.#steps > maxSteps) throw this.wrong(expression, `it takes more than ${maxSteps} steps`)
    const yielded = this.#budget.work(1)
    const evaluated = yielded === undefined ? this.#evaluated(expression) : yielded.then(() => this.#evaluated(expression))
    return after(evaluated, (operand) => this.#bounded(expression, operand))
  }

  /** The same for a value that is stored: it counts as often as it is stored. @throws expressionWrong */
  async evaluateToKeep(expression: Expression): Promise<Value> {
    const operand = await this.evaluate(expression)
    try {
      const value = plainValue(operand)
      this.#budget.make(weigh(this.#budget, value))
      return value
    } catch (error) {
      throw this.#told(expression, error)
    }
  }

  get #budget(): CallBudget {
    return this.#context.budget
  }

  /** What is made is counted, and nothing is looked at that is larger than a value may be. */
  #bounded(expression: Expression, operand: Operand): Operand {
    if (operand.kind === 'host' || expression.kind === 'literal') return operand
    try {
      weigh(this.#budget, operand)
    } catch (error) {
      throw this.#told(expression, error)
    }
    if (makes(expression)) this.#budget.make(ownWeight(operand))
    return operand
  }

  #evaluated(expression: Expression): Evaluated {
    switch (expression.kind) {
      case 'literal':
        return expression.value
      case 'empty':
        return nothing
      case 'name':
        return this.#required(
          expression,
          () => this.#find(expression.name),
          () => `there is no ${expression.name}`,
        )
      case 'member':
        return after(this.evaluate(expression.of), (of) => this.#member(expression, of, expression.name))
      case 'item':
        return after(this.evaluate(expression.of), (of) =>
          after(this.evaluate(expression.key), (key) => this.#item(expression, of, key)),
        )
      case 'call':
        return this.#call(expression)
      case 'list':
        return this.#list(expression.items)
      case 'map':
        return this.#map(expression.entries)
      case 'not':
        return after(this.evaluate(expression.operand), (operand) => boolean(!this.truth(expression.operand, operand)))
      case 'negative':
        return after(this.evaluate(expression.operand), (operand) => this.#calculated(expression, '-', number(0), operand))
      case 'choice':
        return this.#choice(expression)
      case 'binary':
        return this.#binary(expression, expression.operator)
    }
  }

  /** @throws expressionWrong for what is neither true nor false */
  truth(expression: Expression, operand: Operand): boolean {
    const isTrue = findTruth(operand)
    if (isTrue === undefined) throw this.wrong(expression, 'this is neither true nor false')
    return isTrue
  }

  wrong({ at }: { at: number }, reason: string): Problem {
    return expressionWrong({ text: this.#text, column: at + 1, reason })
  }

  async #holds(expression: Expression): Promise<boolean> {
    return this.truth(expression, await this.evaluate(expression))
  }

  async #all(expressions: readonly Expression[]): Promise<readonly Operand[]> {
    const operands: Operand[] = []
    for (const expression of expressions) operands.push(await this.evaluate(expression))
    return operands
  }

  async #list(items: readonly Expression[]): Promise<Operand> {
    return list((await this.#all(items)).map(plainValue))
  }

  async #choice({ condition, then, otherwise }: Expression & { kind: 'choice' }): Promise<Operand> {
    return this.evaluate((await this.#holds(condition)) ? then : otherwise)
  }

  async #map(entries: readonly (readonly [key: Expression, value: Expression])[]): Promise<Value> {
    const members: [string, Value][] = []
    for (const [key, value] of entries) {
      const name = await this.evaluate(key)
      this.#look(name)
      members.push([textOf(name), plainValue(await this.evaluate(value))])
    }
    return { kind: 'map', members: Object.fromEntries(members) }
  }

  async #binary(expression: Expression & { kind: 'binary' }, operator: BinaryOperator): Promise<Operand> {
    const { left, right } = expression
    if (operator === '&&') return boolean((await this.#holds(left)) && (await this.#holds(right)))
    if (operator === '||') return boolean((await this.#holds(left)) || (await this.#holds(right)))
    const [first, second] = [await this.evaluate(left), await this.evaluate(right)]
    if (operator === '==' || operator === '!=') return boolean(this.#isSame(expression, first, second) === (operator === '=='))
    const compare = comparisons[operator]
    if (compare === undefined) return this.#calculated(expression, operator as '+' | '-' | '*' | '/' | '%', first, second)
    this.#look(first, second)
    const order = findOrder(first, second)
    if (order === undefined) throw this.wrong(expression, `${kindOf(first)} and ${kindOf(second)} cannot be compared`)
    return boolean(compare(order))
  }

  #isSame({ left, right }: { left: Expression; right: Expression }, first: Operand, second: Operand): boolean {
    if (right.kind === 'empty') return isEmpty(first)
    this.#look(first, second)
    return left.kind === 'empty' ? isEmpty(second) : isEqual(first, second)
  }

  #look(...operands: readonly Operand[]): void {
    for (const operand of operands) this.#budget.look(costOf(this.#budget, plainValue(operand)))
  }

  #calculated(expression: Expression, operator: '+' | '-' | '*' | '/' | '%', left: Operand, right: Operand): Value {
    try {
      this.#look(left, right)
      const result = calculate(operator, left, right)
      if (result !== undefined) return result
    } catch (error) {
      throw this.#told(expression, error)
    }
    throw this.wrong(expression, `${operator} needs numbers, not ${kindOf(left)} and ${kindOf(right)}`)
  }

  #member(expression: Expression, of: Operand, name: string): Evaluated {
    return this.#required(
      expression,
      () => this.#findMember(of, name),
      () => `${kindOf(of)} has no ${name}`,
    )
  }

  #findMember(of: Operand, name: string): Reply {
    switch (of.kind) {
      case 'host':
        return of.member(name)
      case 'document':
        return documentMember(this.#context, of.document, name)
      case 'date':
        return momentOfValue(this.#context, of).member(name)
      default:
        return memberOfValue(of, name)
    }
  }

  #item(expression: Expression, of: Operand, key: Operand): Evaluated {
    this.#look(key)
    return this.#required(
      expression,
      () => this.#findItem(of, plainValue(key)),
      () => `${kindOf(of)} has no such item`,
    )
  }

  #findItem(of: Operand, key: Value): Reply {
    if (of.kind === 'host') return of.item?.(key)
    return of.kind === 'document' ? documentItem(this.#context, of.document, textOf(key)) : itemOfValue(of, key)
  }

  async #call(expression: Expression & { kind: 'call' }): Promise<Operand> {
    const { name } = expression
    const of = await this.evaluate(expression.of)
    const given = await this.#all(expression.given)
    if (of.kind !== 'host' && of.kind !== 'list') this.#look(of)
    this.#look(...given)
    const called = await this.#reply(expression, () => this.#findCall(of, name, given))
    if (called !== undefined) return called
    const member = given.length === 0 ? memberRead(name) : undefined
    const read = member === undefined ? undefined : await this.#reply(expression, () => this.#findMember(of, member))
    if (read === undefined) throw this.wrong(expression, `${kindOf(of)} cannot ${name} with ${given.length} argument(s)`)
    return read
  }

  #findCall(of: Operand, name: string, given: readonly Operand[]): Reply {
    switch (of.kind) {
      case 'host':
        return of.call?.(name, given)
      case 'document':
        return documentCall(this.#context, of.document, name, given)
      case 'date':
        return momentOfValue(this.#context, of).call?.(name, given)
      default:
        return callOnValue(this.#budget, of, name, given)
    }
  }

  #required(expression: Expression, find: () => Reply, otherwise: () => string): Evaluated {
    const present = (found: Operand | undefined): Operand => {
      if (found === undefined) throw this.wrong(expression, otherwise())
      return found
    }
    const reply = this.#reply(expression, find)
    return reply instanceof Promise ? reply.then(present) : present(reply)
  }

  /** What goes wrong behind a name is told as it is; a number out of range is the expression's fault. */
  #reply(expression: Expression, find: () => Reply): Reply {
    const fail = (error: unknown): never => {
      throw this.#told(expression, error)
    }
    try {
      const reply = find()
      return reply instanceof Promise ? reply.catch(fail) : reply
    } catch (error) {
      return fail(error)
    }
  }

  #told(expression: Expression, error: unknown): unknown {
    return error instanceof RangeError ? this.wrong(expression, error.message) : error
  }
}

const findingKinds: ReadonlySet<Expression['kind']> = new Set(['literal', 'name', 'member', 'item', 'choice'])

/** Whether it may have given something new, and not only found what is there. */
function makes({ kind }: Expression): boolean {
  return !findingKinds.has(kind)
}

/** `getTitle()` is `title` and `isFolder()` is `folder`, as in the language that chains were first written in. */
function memberRead(method: string): string | undefined {
  const name = /^(?:get|is)([A-Z]\w*)$/.exec(method)?.[1]
  return name && name.charAt(0).toLowerCase() + name.slice(1)
}

function kindOf(operand: Operand): string {
  return operand.kind === 'host' ? operand.name : operand.kind
}
