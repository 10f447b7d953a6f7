/**
 * Compiles the operations of the console (`console/**.graphql`). For the bundle it writes a module for each file to
 * `console/generated`, with an id and types for each operation; for the server it writes all documents by their ids to
 * `src/generated/console-documents.json`. A part of `npm run generate`.
 */
import { hash } from 'node:crypto'
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { plugin as typesOf } from '@graphql-codegen/typescript-operations'
import {
  type ASTNode,
  type ASTVisitor,
  buildASTSchema,
  type DefinitionNode,
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  isAbstractType,
  Kind,
  type ObjectTypeDefinitionNode,
  type OperationDefinitionNode,
  parse,
  print,
  Source,
  specifiedRules,
  TypeInfo,
  type ValidationContext,
  validate,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import { nullWithErrorOnly } from '../src/kit/schema/null-with-error.ts'
import { scalarTypes } from './scalar-types.ts'

export type OperationFile = { path: string; text: string }

export type CompiledOperations = {
  /** The text of each operation, with its fragments, by its id. */
  documents: Record<string, string>
  /** The texts of TypeScript modules, by their names. */
  modules: Record<string, string>
}

const documentOf = (definitions: readonly DefinitionNode[]): DocumentNode => ({
  kind: Kind.DOCUMENT,
  definitions,
})

const isOperation = (node: DefinitionNode): node is OperationDefinitionNode =>
  node.kind === Kind.OPERATION_DEFINITION

/** Requires names that a TypeScript type and constant can have. */
const nameRule = (context: ValidationContext): ASTVisitor => ({
  OperationDefinition: (node) => {
    if (/^[A-Z][A-Za-z\d]*$/.test(node.name?.value ?? '')) return
    const message = 'An operation of the console has a name that begins with a capital.'
    context.reportError(new GraphQLError(message, { nodes: node }))
  },
})

/** @throws Error that names each fault and its place */
const readFiles = (schema: GraphQLSchema, files: OperationFile[]) => {
  const parsed = files.map(({ path, text }) => ({
    name: basename(path, '.graphql'),
    definitions: text.trim() === '' ? [] : parse(new Source(text, path)).definitions,
  }))
  const all = documentOf(parsed.flatMap(({ definitions }) => definitions))
  const faults =
    all.definitions.length > 0 ? validate(schema, all, [...specifiedRules, nameRule]) : []
  if (faults.length > 0) throw new Error(faults.join('\n\n'))
  return parsed
}

/**
 * Selects what every client needs: `__typename` where there are several types, and the `id` of every object that has
 * one, by which a cache recognizes it.
 */
const withIdentities = <N extends ASTNode>(schema: GraphQLSchema, root: N): N => {
  const info = new TypeInfo(schema)
  const field = (name: string) =>
    ({ kind: Kind.FIELD, name: { kind: Kind.NAME, value: name } }) as const
  return visit(
    root,
    visitWithTypeInfo(info, {
      SelectionSet: (node, _, parent) => {
        const type = info.getParentType()
        if (!type) return undefined
        const names = node.selections.map((selection) =>
          selection.kind === Kind.FIELD && !selection.alias ? selection.name.value : '',
        )
        const isPart = (parent as ASTNode).kind === Kind.INLINE_FRAGMENT
        const wanted = [
          ...(isAbstractType(type) && !isPart ? ['__typename'] : []),
          ...('getFields' in type && type.getFields()['id'] ? ['id'] : []),
        ].filter((name) => !names.includes(name))
        return { ...node, selections: [...wanted.map(field), ...node.selections] }
      },
    }),
  )
}

/** An operation with the fragments that it spreads, which may spread others. */
const withFragments = (
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, DefinitionNode>,
): DocumentNode => {
  const found = new Set<DefinitionNode>([operation])
  for (const definition of found)
    visit(definition, {
      FragmentSpread: ({ name }) => {
        found.add(fragments.get(name.value) as DefinitionNode)
      },
    })
  return documentOf([...found])
}

const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)

const moduleOf = (operations: { id: string; name: string; kind: string }[]) => {
  const typesOfOne = ({ name, kind }: { name: string; kind: string }) => {
    const type = `${name}${upperFirst(kind)}`
    return `types.${type}, types.${type}Variables`
  }
  return `import type { Operation } from '../operation.ts'
import type * as types from './types.ts'
${operations
  .map(
    (operation) => `
export const ${lowerFirst(operation.name)}: Operation<${typesOfOne(operation)}> = ${JSON.stringify(operation)}
`,
  )
  .join('')}`
}

/**
 * Compiles all operations of a client.
 * @throws Error that says where an operation does not fit the schema
 */
export const compileOperations = async (
  schema: GraphQLSchema,
  files: OperationFile[],
): Promise<CompiledOperations> => {
  const read = readFiles(schema, files).map(({ name, definitions }) => ({
    name,
    definitions: definitions.map((definition) => withIdentities(schema, definition)),
  }))
  const all = read.flatMap(({ definitions }) => definitions)
  const fragments = new Map(
    all.flatMap((item) =>
      item.kind === Kind.FRAGMENT_DEFINITION ? [[item.name.value, item] as const] : [],
    ),
  )
  const documents: Record<string, string> = {}
  const modules: Record<string, string> = {}
  for (const { name, definitions } of read) {
    const operations = definitions.filter(isOperation).map((operation) => {
      const text = print(withFragments(operation, fragments))
      const id = hash('sha256', text)
      documents[id] = text
      return { id, name: String(operation.name?.value), kind: operation.operation }
    })
    if (operations.length === 0) continue
    if (modules[name] !== undefined) throw new Error(`Two files are called ${name}.graphql`)
    modules[name] = moduleOf(operations)
  }
  if (all.length === 0) return { documents, modules }
  const { prepend, content } = await typesOf(
    schema,
    [{ location: 'console', document: documentOf(all) }],
    {
      scalars: { ...scalarTypes, ID: 'string' },
      strictScalars: true,
      arrayInputCoercion: false,
      immutableTypes: true,
      useTypeImports: true,
    },
    { outputFile: 'types.ts' },
  )
  return { documents, modules: { ...modules, types: [...(prepend ?? []), content].join('\n') } }
}

/**
 * The schema as a client sees it that takes no answer with errors: fields that are null only with an error are never
 * null.
 */
export const schemaWithoutErrors = (sdl: string): GraphQLSchema =>
  buildASTSchema(
    visit(parse(sdl), {
      FieldDefinition: (field, _key, _parent, _path, ancestors) => {
        const { name } = ancestors.at(-1) as ObjectTypeDefinitionNode
        const isNeverNull =
          name.value === 'Mutation' || field.description?.value.includes(nullWithErrorOnly)
        return isNeverNull && field.type.kind !== Kind.NON_NULL_TYPE
          ? { ...field, type: { kind: Kind.NON_NULL_TYPE, type: field.type } }
          : undefined
      },
    }),
  )

/** Writes the generated files for the operations of the console, which must fit `schema.graphql`. */
export const writeOperations = async (): Promise<void> => {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  const files = globSync('console/**/*.graphql', { cwd: root }).sort()
  const { documents, modules } = await compileOperations(
    schemaWithoutErrors(read('schema.graphql')),
    files.map((path) => ({ path, text: read(path) })),
  )
  const folder = join(root, 'console/generated')
  mkdirSync(folder, { recursive: true })
  const contents = new Map([
    [join(root, 'src/generated/console-documents.json'), JSON.stringify(documents)],
    ...Object.entries(modules).map(([name, text]) => [join(folder, `${name}.ts`), text] as const),
  ])
  for (const name of readdirSync(folder))
    if (!contents.has(join(folder, name))) rmSync(join(folder, name))
  // Unchanged files are not rewritten, so that file watchers are not triggered.
  for (const [path, content] of contents)
    if (!existsSync(path) || readFileSync(path, 'utf8') !== content) writeFileSync(path, content)
}

if (import.meta.main) await writeOperations()
