/** A mutation with one input that returns a selection of its payload. */
export const mutationOf = (name: string, selection: string) => {
  const Name = `${name[0]?.toUpperCase()}${name.slice(1)}`
  return `mutation ($input: ${Name}Input!) {
    result: ${name}(input: $input) { ... on ${Name}Payload { ${selection} } ...Problem }
  }`
}
