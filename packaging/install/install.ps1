# Installs salon for this user, in %LOCALAPPDATA%\Programs\salon, and changes nothing else. To undo it, remove that folder.
# Usage: powershell -ExecutionPolicy Bypass -File install.ps1 [-Force]
#   -Force  replace whatever salon is there, even a newer one
param([switch]$Force)

$ErrorActionPreference = 'Stop'
# Its progress bar slows downloads down in Windows PowerShell.
$ProgressPreference = 'SilentlyContinue'

$releaseUrl = @release_url@
$instead = "install Node, and with npm the package salon-<version>.tgz from $releaseUrl."

function Install-Salon([bool]$isForced) {
  if (-not $env:LOCALAPPDATA) { throw 'There is no folder to install into: LOCALAPPDATA is not set. On Linux and macOS, use install.sh.' }
  $folder = Join-Path $env:LOCALAPPDATA 'Programs\salon'
  $target = Join-Path $folder 'salon.exe'
  $isNew = -not (Test-Path $folder)
  $temporary = Join-Path $folder ('.salon-' + [Guid]::NewGuid().ToString('N'))
  try {
    try { New-Item -ItemType Directory -Force -Path $temporary | Out-Null }
    catch { throw "Cannot write to ${folder}: $($_.Exception.Message)" }
    $sums = Join-Path $temporary 'SHA256SUMS'
    Receive-ReleaseFile 'SHA256SUMS' $sums
    $found = Find-Executable (Get-Content $sums)
    if (-not $isForced -and -not (Test-IsNeeded $target $found.Version)) { return }

    Write-Output "Downloading salon $($found.Version)."
    $executable = Join-Path $temporary 'salon.exe'
    Receive-ReleaseFile $found.Name $executable
    if ((Get-FileHash -Algorithm SHA256 -Path $executable).Hash -ne $found.Sum) {
      throw "$($found.Name) has another SHA-256 checksum than SHA256SUMS says: the download is damaged or was tampered with."
    }
    $started = & $executable --version
    if ($started -ne $found.Version) { throw "The executable says that it is version $started, not $($found.Version)." }
    try { Move-Item -Force -Path $executable -Destination $target }
    catch { throw "Cannot replace ${target}: end every salon that runs, then try again." }

    Write-Output "Installed salon $($found.Version) as $target."
    Write-Output "To undo this: Remove-Item -Recurse '$folder'"
    if (($env:PATH -split ';') -notcontains $folder) {
      Write-Output "$folder is not on your PATH. To add it:"
      Write-Output "[Environment]::SetEnvironmentVariable('PATH', [Environment]::GetEnvironmentVariable('PATH', 'User') + ';$folder', 'User')"
    }
  }
  finally {
    if (Test-Path $temporary) { Remove-Item -Recurse -Force $temporary }
    if ($isNew -and (Test-Path $folder) -and -not (Get-ChildItem -Force $folder)) { Remove-Item $folder }
  }
}

function Receive-ReleaseFile([string]$name, [string]$path) {
  [Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor [Net.SecurityProtocolType]::Tls12
  try { Invoke-WebRequest -UseBasicParsing -Uri "$releaseUrl/$name" -OutFile $path }
  catch { throw "$releaseUrl/$name cannot be downloaded: $($_.Exception.Message)" }
}

# Finds the file for this processor, with its version and checksum. Windows on ARM also runs the one for x64.
function Find-Executable([string[]]$sums) {
  $processor = if ($env:PROCESSOR_ARCHITEW6432) { $env:PROCESSOR_ARCHITEW6432 } else { $env:PROCESSOR_ARCHITECTURE }
  $systems = switch ($processor) {
    'AMD64' { @('windows-x64') }
    'ARM64' { @('windows-arm64', 'windows-x64') }
    default { throw "There is no executable for ${processor}: $instead" }
  }
  foreach ($system in $systems) {
    foreach ($line in $sums) {
      if ($line -match "^([0-9a-f]{64}) [ *](salon-([A-Za-z0-9._+-]+)-$system\.exe)$") {
        return [PSCustomObject]@{ Sum = $Matches[1]; Name = $Matches[2]; Version = $Matches[3] }
      }
    }
  }
  throw "$releaseUrl/SHA256SUMS names no executable for Windows: $instead"
}

# Says why where there is nothing to do.
function Test-IsNeeded([string]$target, [string]$version) {
  if (-not (Test-Path $target)) { return $true }
  $installed = try { & $target --version 2>$null } catch { '' }
  if ($installed -notmatch '^\d+\.\d+\.\d+') {
    throw "$target exists and is not salon: move it away, or use -Force to replace it."
  }
  if ($installed -eq $version) {
    Write-Host "salon $version is already installed as $target."
    return $false
  }
  if ((Compare-Version $installed $version) -gt 0) {
    Write-Host "Kept salon $installed in $target, which is newer than $version. To replace it: -Force"
    return $false
  }
  return $true
}

# Below 0 if the first version is older: 1.0.0-rc.1 is older than 1.0.0, and rc.2 older than rc.10.
function Compare-Version([string]$one, [string]$other) {
  $numbers = [version](($one -split '[-+]')[0]), [version](($other -split '[-+]')[0])
  if ($numbers[0] -ne $numbers[1]) { return $numbers[0].CompareTo($numbers[1]) }
  # A release has no part after the hyphen, and comes after its candidates.
  $candidates = foreach ($text in $one, $other) {
    $part = (($text -split '\+')[0] -split '-', 2)[1]
    if ($part) { [regex]::Replace($part, '\d+', { param($digits) $digits.Value.PadLeft(9, '0') }) } else { '~' }
  }
  return [string]::CompareOrdinal($candidates[0], $candidates[1])
}

try { Install-Salon $Force.IsPresent }
catch {
  [Console]::Error.WriteLine("error: $($_.Exception.Message)")
  # Started with "irm | iex", exit would close the window.
  if ($PSCommandPath) { exit 1 }
}
