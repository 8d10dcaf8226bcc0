class Lastbit < Formula
  desc "{{.Summary}}"
  homepage "https://github.com/lastbit/lastbit"
  version "{{.Version}}"
  license "{{.License}}"
{{range .Systems}}
  on_{{.System}} do
{{- range .Archives}}
    on_{{.Processor}} do
      url "https://github.com/lastbit/lastbit/releases/download/v{{$.Version}}/{{.Name}}"
      sha256 "{{.SHA256}}"
    end
{{- end}}
  end
{{end}}
  def install
    bin.install "lastbit"
    man1.install Dir["man/*.1"]
    lib.install "liblastbit_blas.so" if File.exist?("liblastbit_blas.so")
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/lastbit version")
  end
end
