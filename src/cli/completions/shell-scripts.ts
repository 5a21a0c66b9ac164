/** A script as it stands, but for the backslashes before $ and ` that a template wants. */
const shell = ({ raw }: TemplateStringsArray): string => raw.join('').replaceAll(/\\([$`])/g, '$1');

/**
 * A script a shell: it gives the words before the cursor to `sightglass completions answer` and shows what that says. None of them
 * evaluates what was typed. They run in bash from 3.2 on (macOS), zsh 5, fish 3 and PowerShell 5.1.
 */
export const shellScripts = {
  bash: shell`# Completions of sightglass for bash: source <(sightglass completions bash)
_sightglass() {
  local line=$COMP_LINE words=() current head text about paths prefix i
  # bash takes words apart at = and :, which belong together where no blank is between them
  for ((i = 0; i <= COMP_CWORD; i++)); do
    text=\${COMP_WORDS[i]}
    if ((i > 0)) && [[ $line != [[:space:]]* ]]; then
      words[\${#words[@]}-1]+=$text
    else
      words+=("$text")
      line=\${line#"\${line%%[![:space:]]*}"}
    fi
    line=\${line#"$text"}
  done
  current=\${words[\${#words[@]}-1]}
  unset "words[\${#words[@]}-1]"
  # what of the word readline leaves as it is
  head=\${current%"$2"}
  COMPREPLY=()
  {
    IFS=$'\t' read -r paths prefix
    while IFS=$'\t' read -r text about; do
      text=$prefix$text
      COMPREPLY+=("\${text#"$head"}")
    done
  } < <(sightglass completions answer --current="$current" -- "\${words[@]}" 2>/dev/null)
  if [[ $paths != files ]]; then compopt +o default 2>/dev/null; fi
  if [[ $paths == folders ]]; then compopt -o dirnames 2>/dev/null; fi
}
complete -o default -F _sightglass sightglass
`,
  zsh: shell`#compdef sightglass
# Completions of sightglass for zsh: source <(sightglass completions zsh), behind compinit
_sightglass() {
  local -a lines candidates
  local paths prefix line
  lines=("\${(@f)$(sightglass completions answer --current="$PREFIX" -- "\${(@)words[1,CURRENT-1]}" 2>/dev/null)}")
  paths=\${lines[1]%%$'\t'*} prefix=\${lines[1]#*$'\t'}
  compset -P "\${(b)prefix}"
  for line in "\${(@)lines[2,-1]}"; do
    line=\${line//:/\\:}
    candidates+=("\${\${line/$'\t'/:}%:}")
  done
  case $paths in
    files) _files ;;
    folders) _files -/ ;;
    *) _describe sightglass candidates ;;
  esac
}
if [[ $funcstack[1] == _sightglass ]]; then _sightglass "$@"; else compdef _sightglass sightglass; fi
`,
  fish: shell`# Completions of sightglass for fish: sightglass completions fish > ~/.config/fish/completions/sightglass.fish
function __sightglass_completions
    set -l current (commandline -ct)
    set -l lines (sightglass completions answer --current="$current" -- (commandline -opc) 2>/dev/null)
    set -l first (string split -m 1 \t -- $lines[1])
    set -l rest (string sub -s (math (string length -- "$first[2]") + 1) -- "$current")
    switch "$first[1]"
        case files
            set -a lines (__fish_complete_path "$rest")
        case folders
            set -a lines (__fish_complete_directories "$rest" '')
    end
    for line in $lines[2..-1]
        printf '%s\n' "$first[2]$line"
    end
end
complete -c sightglass -f -a '(__sightglass_completions)'
`,
  powershell: shell`# Completions of sightglass for PowerShell: sightglass completions powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName sightglass -ScriptBlock {
  param($current, $ast, $cursor)
  $before = @($ast.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { $_.Extent.Text })
  $lines = @(sightglass completions answer "--current=$current" '--' @before 2>$null)
  if ($lines.Count -eq 0) { return }
  $paths, $prefix = $lines[0] -split "\`t", 2
  $lines | Select-Object -Skip 1 | ForEach-Object {
    $text, $about = $_ -split "\`t", 2
    if (-not $about) { $about = $text }
    [System.Management.Automation.CompletionResult]::new("$prefix$text", $text, 'ParameterValue', $about)
  }
  if ($paths -eq 'none') { return }
  [System.Management.Automation.CompletionCompleters]::CompleteFilename($current.Substring($prefix.Length)) |
    Where-Object { $paths -eq 'files' -or $_.ResultType -eq 'ProviderContainer' } |
    ForEach-Object {
      [System.Management.Automation.CompletionResult]::new(
        "$prefix$($_.CompletionText)", $_.ListItemText, $_.ResultType, $_.ToolTip)
    }
}
`,
} as const;
