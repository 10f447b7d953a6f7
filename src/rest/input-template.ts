/**
 * Inputs that an operation writes out, so that REST keeps its own names:
 * `awardPoints(input: {user: {externalId: $userId}, eventType: $eventType})`.
 */
import {
  type DocumentNode,
  type FieldNode,
  type GraphQLInputType,
  type GraphQLSchema,
  getNullableType,
  isInputObjectType,
  isNonNullType,
  Kind,
  type ObjectValueNode,
  OperationTypeNode,
  parseType,
  type ValueNode,
  valueFromASTUntyped,
  visit,
} from 'graphql'
import {
  type ErrorCode,
  type FieldError,
  type FieldErrorCode,
  TesseraError,
} from '../kit/errors.ts'

type Values = Record<string, unknown>

/** The path of each variable in an input: `user.externalId` by `userId`. */
export type VariablePaths = Map<string, string>

export type Template = {
  type: GraphQLInputType
  places: VariablePaths
  /** The input filled with these values. */
  fill(values: Values): unknown
}

/** The name of the variable that replaces the literal input. */
export const inputName = 'input'

const placesOf = (node: ValueNode, path: string): [string, string][] => {
  if (node.kind === Kind.VARIABLE) return [[node.name.value, path]]
  if (node.kind !== Kind.OBJECT) return []
  return node.fields.flatMap(({ name, value }) =>
    placesOf(value, path ? `${path}.${name.value}` : name.value),
  )
}

type Fill = (values: Values) => unknown

/**
 * Returns the function that fills in the values. An optional object that consists of variables is omitted if none of
 * them has a value, and null if they are null. Of several keys of a `@oneOf` input, those without a value are omitted.
 */
const fillOf = (node: ValueNode, type: GraphQLInputType): Fill => {
  if (node.kind === Kind.VARIABLE) {
    const name = node.name.value
    return (values) => values[name]
  }
  const named = getNullableType(type)
  if (node.kind !== Kind.OBJECT || !isInputObjectType(named)) {
    const value = valueFromASTUntyped(node)
    return () => value
  }
  const names = placesOf(node, '').map(([name]) => name)
  const isOptional = names.length > 0 && !isNonNullType(type)
  const fields = node.fields.flatMap(({ name: { value: name }, value }) => {
    const field = named.getFields()[name]
    return field ? [{ name, fill: fillOf(value, field.type) }] : []
  })
  const isChoice = named.isOneOf && fields.length > 1
  return (values) => {
    if (isOptional && names.every((name) => values[name] == null)) {
      return names.some((name) => values[name] === null) ? null : undefined
    }
    const input: Values = {}
    for (const { name, fill } of fields) {
      const value = fill(values)
      if (!isChoice || value != null) input[name] = value
    }
    return input
  }
}

export const templateOf = (node: ObjectValueNode, type: GraphQLInputType): Template => ({
  type,
  places: new Map(placesOf(node, '')),
  fill: fillOf(node, type),
})

/** The operation with its literal input, if any, replaced by a variable. */
export const takeTemplate = (
  schema: GraphQLSchema,
  document: DocumentNode,
): { document: DocumentNode; template: Template | undefined } => {
  let template: Template | undefined
  const replaced = visit(document, {
    Field: (field: FieldNode) => {
      const definition = schema.getMutationType()?.getFields()[field.name.value]
      const type = definition?.args.find(({ name }) => name === inputName)?.type
      const written = field.arguments?.find(({ name }) => name.value === inputName)
      if (!type || written?.value.kind !== Kind.OBJECT) return undefined
      template = templateOf(written.value, type)
      const value = { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: inputName } } as const
      return { ...field, arguments: [{ ...written, value }] }
    },
  })
  if (!template) return { document, template }
  const { type, places } = template
  const withVariables = visit(replaced, {
    OperationDefinition: (operation) => {
      if (operation.operation !== OperationTypeNode.MUTATION) return undefined
      const others = operation.variableDefinitions?.filter(
        ({ variable }) => !places.has(variable.name.value),
      )
      const variable = {
        kind: Kind.VARIABLE,
        name: { kind: Kind.NAME, value: inputName },
      } as const
      const made = {
        kind: Kind.VARIABLE_DEFINITION,
        variable,
        type: parseType(String(type)),
      } as const
      return { ...operation, variableDefinitions: [...(others ?? []), made] }
    },
  })
  return { document: withVariables, template }
}

/** The path of each variable in the arguments of a query: `by.externalId` by `userId`. */
export const variablePathsOf = (document: DocumentNode): VariablePaths => {
  const places: VariablePaths = new Map()
  visit(document, {
    Argument: ({ name, value }) => {
      for (const [variable, path] of placesOf(value, name.value)) places.set(variable, path)
    },
  })
  return places
}

/** A path of the input in REST: the name of the variable at that path. */
const nameOf = (places: VariablePaths, field: string): string => {
  for (const [name, path] of places) {
    if (field === path) return name
    if (field.startsWith(`${path}.`)) return name + field.slice(path.length)
    // An object around a single variable, which REST does not have.
    if (field !== '' && path.startsWith(`${field}.`)) return name
  }
  return field
}

/** The kind of error of a text that is not a UUID, in a body and in a query string. */
const badUuid: Partial<Record<ErrorCode, FieldErrorCode>> = {
  VALIDATION_FAILED: 'invalid_format',
  INVALID_PARAMETERS: 'invalid',
}

/** Converts an error about an input or arguments to the names of REST. */
export const inNamesOf = (places: VariablePaths, error: TesseraError): TesseraError => {
  const { code, message, retryAfter, errors } = error
  if (!errors) return error
  const rename = (fault: FieldError): FieldError => {
    const field = nameOf(places, fault.field)
    const isNamed = fault.message.startsWith(fault.field)
    const message = isNamed ? field + fault.message.slice(fault.field.length) : fault.message
    // REST identifies objects by their UUIDs.
    if (/ is (not )?the id of an? \w+/.test(message))
      return {
        field,
        message: `${field} must be a UUID`,
        code: badUuid[code] ?? fault.code,
      }
    return { ...fault, field, message }
  }
  const headline = errors.find((fault) => fault.message === message)
  return TesseraError.of(code, {
    message: headline ? rename(headline).message : message,
    errors: errors.map(rename),
    ...(retryAfter !== undefined && { retryAfter }),
  })
}
